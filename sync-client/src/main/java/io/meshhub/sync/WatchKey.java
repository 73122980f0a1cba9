package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;

/** What is followed: an address, and a view of its state as a JSON pointer. */
record WatchKey(MeshAddress address, String view) {

    @Override
    public String toString() {
        return view.isEmpty() ? address.toString() : address + " at " + view;
    }
}
