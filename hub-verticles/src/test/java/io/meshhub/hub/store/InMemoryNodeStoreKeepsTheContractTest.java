package io.meshhub.hub.store;

import io.meshhub.routing.spi.NodeStore;

/** The store in memory does what every store does. */
class InMemoryNodeStoreKeepsTheContractTest extends NodeStoreContract {

    @Override
    NodeStore open() {
        return new InMemoryNodeStore();
    }
}
