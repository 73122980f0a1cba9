package io.meshhub.hub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.sync.SyncChange;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A stream under test, with all that it ever said. */
final class Watched implements AutoCloseable {

    final SyncStream<JsonObject> stream;
    final List<SyncChange<JsonObject>> changes = new CopyOnWriteArrayList<>();
    final List<SyncState> states = new CopyOnWriteArrayList<>();

    Watched(SyncStream<JsonObject> stream) {
        this.stream = stream;
        stream.onChange(changes::add);
        stream.onState(states::add);
    }

    /** The values of member n, in the order in which they came. */
    List<Integer> numbers() {
        return changes.stream()
                .map(change -> change.value().orElseThrow().getInteger("n"))
                .toList();
    }

    /** Why it rode out, each time. */
    List<String> reasons() {
        return states.stream()
                .filter(SyncState.RidingOut.class::isInstance)
                .map(state -> ((SyncState.RidingOut) state).why())
                .toList();
    }

    /** Waits, in real time, until its listener was told these and no others: it is told a moment after they stand. */
    void saw(Integer... numbers) {
        eventually("all that was told", () -> changes.size() >= numbers.length);
        assertThat(numbers()).containsExactly(numbers);
    }

    /** Waits, in real time, until it is live with that value of member n. */
    Watched isLiveWith(int n) {
        eventually(
                "live with n=" + n + ", and not " + stream.state() + " " + stream.value(),
                // Listeners are told a moment after the value can be read.
                () -> stream.state() instanceof SyncState.Live
                        && isLastTold(n)
                        && stream.value()
                                .filter(value -> value.getInteger("n") == n)
                                .isPresent());
        return this;
    }

    private boolean isLastTold(int n) {
        List<Integer> told = numbers();
        return !told.isEmpty() && told.get(told.size() - 1) == n;
    }

    void eventuallyIs(Class<? extends SyncState> state) {
        try {
            eventually(state.getSimpleName(), () -> state.isInstance(stream.state()));
        } catch (AssertionError e) {
            throw new AssertionError("the stream says " + stream.state() + " and not " + state.getSimpleName(), e);
        }
    }

    static void eventually(String what, BooleanSupplier condition) {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 2000 && !condition.getAsBoolean(); i++) {
            try {
                never.await(5, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    @Override
    public void close() {
        stream.close();
    }
}
