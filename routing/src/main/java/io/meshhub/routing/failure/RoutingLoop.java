package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/** The message was relayed more often than any route needs. */
public final class RoutingLoop extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5080;

    /** Says so, with what is known. */
    public RoutingLoop(String message, FailureDetail detail) {
        super(CODE, message, detail);
    }

    /** The message to the address was relayed so often. */
    public static RoutingLoop after(MeshAddress address, int hops, String node) {
        return new RoutingLoop(
                "Message to '" + address + "' was relayed " + hops + " times and is going in circles; node " + node
                        + " stopped it",
                FailureDetail.about(address).on(node));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.REPORT;
    }

    @Override
    public RoutingLoop withDetail(FailureDetail newDetail) {
        return new RoutingLoop(getMessage(), newDetail);
    }
}
