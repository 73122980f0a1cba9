package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** One failure of each leaf with everything set, and one with nothing set that need not be. */
final class FailureSamples {

    static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    static final ActivationId ACTIVATION = ActivationId.of(ActivationId.MAX_EPOCH, ActivationId.MAX_COUNTER);
    static final FailureDetail FULL = new FailureDetail(
            "orders/42",
            ACTIVATION,
            RunLevel.DISPOSING_HOSTED_HUBS,
            "node-b",
            17,
            Duration.ofMillis(8_500),
            Duration.ofMillis(250),
            false);

    private FailureSamples() {}

    static List<MeshException> full() {
        return leaves("what happened \u00fc \ud83d\ude00", FULL, true);
    }

    static List<MeshException> bare() {
        return leaves("what happened", FailureDetail.NONE, false);
    }

    static Stream<MeshException> all() {
        return Stream.of(
                        full().stream(),
                        bare().stream(),
                        full().stream().map(MeshException::asEntered),
                        Stream.<MeshException>of(
                                new Unavailable("m", FULL, true), new Unavailable("m", FailureDetail.NONE, true)))
                .flatMap(samples -> samples);
    }

    private static List<MeshException> leaves(String m, FailureDetail d, boolean full) {
        DeadlineExceeded.Owner owner = full
                ? new DeadlineExceeded.Owner(1024, "place-order", Duration.ofSeconds(31))
                : DeadlineExceeded.Owner.UNKNOWN;
        MeshException lastRefusal = full ? new ShuttingDown("refused", FULL) : null;
        List<String> names = full ? List.of("first", "second") : List.of();
        List<Stall> stalls = full
                ? List.of(
                        new Stall("first", Duration.ofMillis(14_001), Duration.ofMillis(999), 4),
                        new Stall("second", Duration.ZERO, Duration.ofSeconds(15), 1),
                        new Stall("third@b", Duration.ofSeconds(15), Duration.ZERO, 1, false))
                : List.of();
        return List.of(
                new NotFound(m, d),
                new NotHandled(m, d, full ? "greet" : "", names),
                new ShuttingDown(m, d),
                new Unavailable(m, d, false),
                new DeadlineExceeded(m, d, owner, lastRefusal),
                new QueryProviderStalled(m, d, stalls, full ? Duration.ofSeconds(15) : Duration.ZERO),
                new Overloaded(m, d),
                new StartFailed(m, d, full ? "java.io.IOException" : "", full ? "disk" : ""),
                new HandlerFailed(m, d, full ? "java.io.IOException" : "", full ? "disk" : ""),
                new Rejected(m, d, full ? 7 : -1),
                new Unauthorized(m, d),
                new Forbidden(m, d),
                new Conflict(m, d, full ? Long.MAX_VALUE : 0),
                new RoutingLoop(m, d));
    }

    /** What only this leaf carries. */
    static List<Object> specials(MeshException failure) {
        if (failure instanceof NotHandled e) {
            return List.of(e.type(), e.allowed());
        } else if (failure instanceof Unavailable e) {
            return List.of(e.sent());
        } else if (failure instanceof DeadlineExceeded e) {
            return List.of(e.owner(), e.lastRefusal().map(FailureSamples::parts));
        } else if (failure instanceof QueryProviderStalled e) {
            return List.of(e.stalls(), e.rung());
        } else if (failure instanceof StartFailed e) {
            return List.of(e.causeType(), e.causeMessage());
        } else if (failure instanceof HandlerFailed e) {
            return List.of(e.causeType(), e.causeMessage());
        } else if (failure instanceof Rejected e) {
            return List.of(e.position());
        } else if (failure instanceof Conflict e) {
            return List.of(e.currentVersion());
        }
        return List.of();
    }

    /** All of a failure, for comparison. */
    static List<Object> parts(MeshException failure) {
        return List.of(
                failure.getClass(),
                failure.failureType(),
                failure.failureCode(),
                failure.remedy(),
                failure.detail(),
                failure.getMessage(),
                specials(failure));
    }
}
