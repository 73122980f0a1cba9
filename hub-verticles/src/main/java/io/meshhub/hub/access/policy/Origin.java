package io.meshhub.hub.access.policy;

import io.meshhub.routing.MeshAddress;

/**
 * The node that a row was read from.
 *
 * @param path where it lies
 * @param version of the node
 */
record Origin(MeshAddress path, long version) {

    @Override
    public String toString() {
        return path + ", version " + version;
    }
}
