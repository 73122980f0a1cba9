package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The hub is alive and has no handler for this type of message; never confused with {@link NotFound}. */
public final class NotHandled extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4050;

    private final String type;
    private final List<String> allowed;

    /**
     * Says so, with what is known.
     *
     * @param type the type that is not handled
     * @param allowed the types that are
     */
    public NotHandled(String message, FailureDetail detail, String type, Collection<String> allowed) {
        super(CODE, message, detail);
        this.type = type;
        this.allowed = List.copyOf(allowed);
    }

    /** The hub at the address handles only the given types. */
    public static NotHandled at(
            MeshAddress address,
            ActivationId activation,
            RunLevel level,
            String node,
            String type,
            Collection<String> allowed) {
        List<String> sorted = allowed.stream().sorted().toList();
        FailureDetail detail =
                FailureDetail.about(address).of(activation, level).on(node);
        return new NotHandled(
                "Hub " + address + detail.inBrackets() + " does not handle messages of type '" + type + "'; it handles "
                        + sorted,
                detail,
                type,
                sorted);
    }

    /** The type that is not handled. */
    public String type() {
        return type;
    }

    /** The types that the hub handles, in order of name. */
    public List<String> allowed() {
        return Optional.ofNullable(allowed).orElse(List.of());
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.STOP;
    }

    @Override
    public NotHandled withDetail(FailureDetail newDetail) {
        return new NotHandled(getMessage(), newDetail, type, allowed);
    }
}
