package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/**
 * It could not be found out, or the owner was lost: the address may well exist.
 *
 * <p>With {@code sent=false} nothing was executed (shard moving or unowned, node leaving, no lease, catalogue or store
 * could not be asked); with {@code sent=true} it may have been.
 */
public final class Unavailable extends MeshException {

    /** The wire code when nothing was executed: {@value}. */
    public static final int CODE = 5032;

    /** The wire code when it may have been executed: {@value}. */
    public static final int CODE_SENT = 5033;

    private final boolean sent;

    /**
     * Says so, with what is known.
     *
     * @param sent whether the message may have been executed
     */
    public Unavailable(String message, FailureDetail detail, boolean sent) {
        super(sent || detail.entered() ? CODE_SENT : CODE, message, detail);
        this.sent = sent || detail.entered();
    }

    /** Nothing was executed, for the reason given. */
    public static Unavailable notSent(MeshAddress address, String node, String reason) {
        return new Unavailable(
                "Hub " + address + " is not available (" + reason + ", node=" + node + "); nothing was executed",
                FailureDetail.about(address).on(node),
                false);
    }

    /** The message was handed over and its outcome is unknown, for the reason given. */
    public static Unavailable sent(MeshAddress address, String node, String reason) {
        return new Unavailable(
                "Hub " + address + " did not answer (" + reason + ", node=" + node + "); the outcome is unknown",
                FailureDetail.about(address).on(node),
                true);
    }

    /** Whether the message may have been executed. */
    public boolean sent() {
        return sent;
    }

    @Override
    Remedy ownRemedy() {
        return sent ? Remedy.RETRY_IF_IDEMPOTENT : Remedy.RIDE_OUT;
    }

    @Override
    public Unavailable withDetail(FailureDetail newDetail) {
        return new Unavailable(getMessage(), newDetail, sent);
    }
}
