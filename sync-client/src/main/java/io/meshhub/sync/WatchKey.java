package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is followed, and by whom: an address, a view of its state as a JSON pointer, and on whose behalf.
 *
 * @param principal null for nobody's
 */
record WatchKey(MeshAddress address, String view, @Nullable String principal) {

    @Override
    public String toString() {
        return view.isEmpty() ? address.toString() : address + " at " + view;
    }
}
