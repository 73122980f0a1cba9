package io.meshhub.query;

import io.meshhub.query.Opening.Why;
import io.meshhub.query.gate.GateEvent;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The openings of single providers of a live run, each with a terminal of its own. One that takes back what it told over
 * and over is opened at a pace.
 */
final class Reopens {

    private final SharedRun run;
    private final Duration rung;
    private final Predicate<String> allowed;
    private final Map<String, Opening> openings = new HashMap<>();
    private final Map<String, Rest> rests = new HashMap<>();
    private final Map<String, Long> lastOpened = new HashMap<>();

    /** The time until a provider is opened; one that was dropped is none, also where its turn was on its way. */
    private static final class Rest {
        private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
    }

    /**
     * None so far.
     *
     * @param allowed whether a provider may still be opened
     */
    Reopens(SharedRun run, Duration rung, Predicate<String> allowed) {
        this.run = run;
        this.rung = rung;
        this.allowed = allowed;
    }

    /** A provider is opened, for whatever reason. */
    void opened(String name) {
        long now = run.now();
        long pace = run.options().reopenPace().toNanos();
        // What is longer ago says nothing, and may be of one that left.
        lastOpened.values().removeIf(last -> now - last > pace);
        lastOpened.put(name, now);
    }

    /** Whether none is being opened, or about to be. */
    boolean isIdle() {
        return openings.isEmpty() && rests.isEmpty();
    }

    /**
     * Those that are being opened, or are about to be.
     *
     * @param bound how long was waited for them
     */
    List<Stall> stalls(Duration bound) {
        List<Stall> stalls = new ArrayList<>();
        rests.keySet().forEach(name -> stalls.add(new Stall(name, bound, Duration.ZERO, 0)));
        openings.values().forEach(opening -> stalls.addAll(opening.gate().stalls(run.now())));
        return stalls;
    }

    /** Whether a provider is being opened, or about to be. */
    boolean isUnderWay(String name) {
        return openings.containsKey(name) || rests.containsKey(name);
    }

    /** Opens a provider that is not being opened, once its pace allows. */
    void open(String name, Why why) {
        Long last = lastOpened.get(name);
        Duration rest =
                last == null ? Duration.ZERO : run.options().reopenPace().minusNanos(run.now() - last);
        if (rest.isNegative() || rest.isZero()) {
            now(name, why);
        } else {
            Rest until = new Rest();
            rests.put(name, until);
            until.timer = run.after(rest, () -> {
                if (rests.remove(name, until)) {
                    now(name, why);
                }
            });
        }
    }

    private void now(String name, Why why) {
        if (allowed.test(name)) {
            Opening opening = new Opening(run, why, List.of(name), rung);
            openings.put(name, opening);
            opening.on(new GateEvent.Opened(run.now()));
        }
    }

    /** An opening has its outcome. */
    void over(Opening opening) {
        openings.values().remove(opening);
    }

    /** A provider is not opened any more. */
    void drop(String name) {
        Rest rest = rests.remove(name);
        if (rest != null) {
            rest.timer.cancel();
        }
        Opening opening = openings.remove(name);
        if (opening != null) {
            opening.on(new GateEvent.Cancelled(run.now()));
        }
    }
}
