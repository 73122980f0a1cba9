package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import org.jspecify.annotations.Nullable;

/** The address cannot exist: no hub type matches it, or the catalogue answered that there is no such node. */
public final class NotFound extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4040;

    /** Says so, with what is known. */
    public NotFound(String message, FailureDetail detail) {
        super(CODE, message, detail);
    }

    /** No hub type of any node matches the address. */
    public static NotFound noType(MeshAddress address, String node, int nodes) {
        return new NotFound(
                "No activation can exist for address '" + address + "': no hub type matches it on any node (nodes=" + nodes
                        + ")",
                FailureDetail.about(address).on(node));
    }

    /** The catalogue was asked and knows no such node. */
    public static NotFound noNode(MeshAddress address, @Nullable String node) {
        return new NotFound(
                "No node '" + address + "' exists: the catalogue was asked and does not hold it",
                FailureDetail.about(address).on(node));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.STOP;
    }

    @Override
    public NotFound withDetail(FailureDetail newDetail) {
        return new NotFound(getMessage(), newDetail);
    }
}
