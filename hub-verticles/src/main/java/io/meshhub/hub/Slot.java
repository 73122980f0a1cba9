package io.meshhub.hub;

import io.meshhub.routing.spi.Delivery;

/** What stands in the table of a loop under an address; touched only on that loop. */
sealed interface Slot permits Activation, Resolving {

    /** Takes a message for the address, or refuses it. */
    void deliver(Delivery delivery);
}
