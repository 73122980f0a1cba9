package io.meshhub.it.chaos;

import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.StartFailed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Asks the addresses at random, one request per worker at a time, and notes each; all on one context. */
final class Load {

    private static final int LEAST_PAUSE_MS = 20;
    private static final int PAUSE_SPREAD_MS = 120;
    private static final int VERIFIERS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    // So long that a request which is held when its node is frozen is still open at the thaw.
    private static final Duration HELD_DEADLINE = Duration.ofSeconds(30);
    private static final Duration HELD = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Context context;
    private final Mesh mesh;
    private final Records records;
    private final ChildSettings settings;
    private final Random random;
    private final Map<String, Long> lastSeen = new HashMap<>();
    private boolean running;
    private int underWay;
    private @Nullable Promise<Void> quiet;
    private long sequence;

    Load(Vertx vertx, Mesh mesh, Records records, ChildSettings settings) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.mesh = mesh;
        this.records = records;
        this.settings = settings;
        this.random = new Random(settings.seed() * 31 + settings.start());
    }

    void start() {
        context.runOnContext(nothing -> {
            running = true;
            for (int i = 0; i < settings.workers(); i++) {
                underWay++;
                pause(false);
            }
            for (int i = 0; i < settings.holders(); i++) {
                underWay++;
                pause(true);
            }
        });
    }

    /** Asks nothing more; completes when all that is under way has ended. */
    Future<Void> pauseAll() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(nothing -> {
            running = false;
            if (underWay == 0) {
                promise.complete();
            } else {
                quiet = promise;
            }
        });
        return promise.future();
    }

    private void pause(boolean held) {
        vertx.setTimer(LEAST_PAUSE_MS + random.nextInt(PAUSE_SPREAD_MS), fired -> next(held));
    }

    private void next(boolean held) {
        if (!running) {
            underWay--;
            Promise<Void> waiting = quiet;
            if (underWay == 0 && waiting != null) {
                waiting.tryComplete();
            }
            return;
        }
        if (held) {
            String address = address(2 + 4 * random.nextInt(settings.addresses() / 4));
            ask(Op.Kind.COUNT, address, HELD_DEADLINE, HELD).onComplete(ended -> pause(true));
            return;
        }
        String address = address(random.nextInt(settings.addresses()));
        List<Integer> deadlines = settings.deadlinesMs();
        Duration deadline = Duration.ofMillis(deadlines.get(random.nextInt(deadlines.size())));
        ask(kind(address), address, deadline, Duration.ZERO).onComplete(ended -> pause(false));
    }

    private static String address(int index) {
        return switch (index % 4) {
            case 0, 1 -> ChaosHubs.REGISTER + "/" + index;
            case 2 -> ChaosHubs.COUNTER + "/" + index;
            default -> ChaosHubs.LIST + "/" + index;
        };
    }

    private Op.Kind kind(String address) {
        if (random.nextInt(1000) < settings.recyclesPerMille()) {
            return Op.Kind.RECYCLE;
        }
        if (address.startsWith(ChaosHubs.COUNTER)) {
            return Op.Kind.COUNT;
        }
        if (address.startsWith(ChaosHubs.LIST)) {
            return random.nextInt(4) == 0 ? Op.Kind.LIST : Op.Kind.APPEND;
        }
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> Op.Kind.WRITE;
            case 4, 5 -> Op.Kind.CAS;
            default -> Op.Kind.READ;
        };
    }

    /** Reads all addresses, each within the bound; completes when each has an outcome. */
    Future<Void> verify(Duration bound) {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(nothing -> {
            List<Future<Void>> lines = new ArrayList<>();
            for (int i = 0; i < VERIFIERS; i++) {
                lines.add(verifyFrom(i, bound));
            }
            Future.all(lines).<Void>mapEmpty().onComplete(promise);
        });
        return promise.future();
    }

    private Future<Void> verifyFrom(int index, Duration bound) {
        if (index >= settings.addresses()) {
            return Future.succeededFuture();
        }
        String address = address(index);
        Op.Kind kind = address.startsWith(ChaosHubs.COUNTER)
                ? Op.Kind.COUNT
                : address.startsWith(ChaosHubs.LIST) ? Op.Kind.LIST : Op.Kind.READ;
        return ask(kind, address, bound, Duration.ZERO).compose(ended -> verifyFrom(index + VERIFIERS, bound));
    }

    /** Completes when the request has ended, whatever came of it. */
    private Future<Void> ask(Op.Kind kind, String address, Duration deadline, Duration held) {
        long id = (long) (settings.start() + 1) << 32 | ++sequence;
        long expected = kind == Op.Kind.CAS ? lastSeen.getOrDefault(address, 0L) : 0;
        Duration bound = kind == Op.Kind.RECYCLE ? mesh.budgets().request() : deadline;
        records.invoked(new Op(
                id,
                settings.process(),
                address,
                kind,
                expected,
                System.nanoTime(),
                bound.toNanos(),
                0,
                Op.Outcome.PENDING,
                "",
                null));
        Promise<Void> ended = Promise.promise();
        // A request that never ends is noted as such, and does not keep the run from its end.
        long patience = vertx.setTimer(bound.plus(PATIENCE).toMillis(), fired -> ended.tryComplete());
        send(kind, MeshAddress.of(address), id, expected, deadline, held).onComplete((answer, cause) -> {
            vertx.cancelTimer(patience);
            note(kind, address, id, answer, cause);
            ended.tryComplete();
        });
        return ended.future();
    }

    private Future<@Nullable Answer> send(
            Op.Kind kind, MeshAddress to, long id, long expected, Duration deadline, Duration held) {
        if (kind == Op.Kind.RECYCLE) {
            return mesh.recycle(to).mapEmpty();
        }
        Object message =
                switch (kind) {
                    case READ -> new ChaosHubs.Read(id);
                    case WRITE -> new ChaosHubs.Write(id);
                    case CAS -> new ChaosHubs.Cas(id, expected);
                    case COUNT -> new ChaosHubs.Count(id, held.toMillis());
                    case APPEND -> new ChaosHubs.Append(id);
                    case LIST -> new ChaosHubs.Held(id);
                    case RECYCLE -> throw new IllegalStateException("a recycle is no message of a hub");
                };
        MeshOptions options =
                MeshOptions.DEFAULT.withDeadline(deadline).withIdempotent(Plant.of(settings.plant()) == Plant.RESEND);
        return mesh.request(to, message, Answer.class, options).map(answer -> answer);
    }

    private void note(Op.Kind kind, String address, long id, @Nullable Answer answer, @Nullable Throwable cause) {
        long now = System.nanoTime();
        records.returned(
                id, now, cause == null ? Op.Outcome.OK : outcome(cause), cause == null ? "" : words(cause), answer);
        if (answer != null && (kind == Op.Kind.READ || kind == Op.Kind.CAS)) {
            lastSeen.put(address, answer.done() ? id : answer.value());
        } else if (answer != null && kind == Op.Kind.WRITE) {
            lastSeen.put(address, id);
        }
    }

    private static String words(Throwable cause) {
        return cause instanceof MeshException failure
                ? failure.kind() + " " + failure.getMessage() + " (attempts=" + failure.attempts() + ")"
                : cause.toString();
    }

    private static Op.Outcome outcome(Throwable cause) {
        if (!(cause instanceof MeshException failure)) {
            return Op.Outcome.WRONG;
        }
        // A hub fails when its store does: it may have written, and its start may be tried again.
        if (failure instanceof HandlerFailed || failure instanceof StartFailed) {
            return Op.Outcome.UNKNOWN;
        }
        return switch (failure.remedy()) {
            case RIDE_OUT, RETRY_LATER -> Op.Outcome.NEVER_EXECUTED;
            case RETRY_IF_IDEMPOTENT -> Op.Outcome.UNKNOWN;
            case STOP, REPORT -> Op.Outcome.WRONG;
        };
    }
}
