package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When an update is sent again: only where it is known that nothing was executed. */
@Timeout(30)
class UpdatesAreSentAgainTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("notes/1");
    private static final Duration PACE = Duration.ofMillis(500);
    private static final FailureDetail OWNER =
            FailureDetail.about(ADDRESS).on("b").of(id(1), RunLevel.DEAD);

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults());
    private SyncStream<JsonObject> stream;

    @BeforeEach
    void aLiveStream() {
        stream = owners.client.watch(ADDRESS);
        owners.settle();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
    }

    @AfterEach
    void close() {
        owners.close();
    }

    private Future<JsonObject> refused(MeshException failure) {
        owners.updates.clear();
        owners.updateRefusal = to -> failure;
        Future<JsonObject> update = stream.update(it -> it.put("n", 6));
        owners.settle();
        return update;
    }

    @Test
    void oneThatMayHaveBeenExecutedIsNotSentAgain() {
        List<MeshException> failures = List.of(
                Unavailable.sent(ADDRESS, "b", "its node was lost"),
                new Unavailable("gone", OWNER.enter(), false),
                new ShuttingDown("it ends", OWNER.enter()),
                new Overloaded("too many", OWNER.enter()),
                new DeadlineExceeded("late", OWNER, DeadlineExceeded.Owner.UNKNOWN, null));
        for (MeshException failure : failures) {
            Future<JsonObject> update = refused(failure);
            assertThat(update.cause()).as("%s ends it at once", failure).isSameAs(failure);
            owners.pass(Duration.ofSeconds(10));

            assertThat(owners.updates).as("%s", failure).hasSize(1);
        }
        assertThat(stream.value()).contains(new JsonObject().put("n", 5));
    }

    @Test
    void oneThatIsRefusedForGoodIsNotSentAgain() {
        Conflict conflict = new Conflict("another value", OWNER, 7);
        assertThat(refused(conflict).cause()).isSameAs(conflict);
        owners.pass(Duration.ofSeconds(10));

        assertThat(owners.updates).hasSize(1);
    }

    @Test
    void oneThatWasNeverExecutedIsSentAgainTwiceAtItsPace() {
        List<MeshException> failures = List.of(
                Unavailable.notSent(ADDRESS, "a", "its shard has no owner"),
                ShuttingDown.refusal(ADDRESS, id(1), RunLevel.DEAD, "b"),
                new Overloaded("too many", OWNER));
        for (MeshException failure : failures) {
            Future<JsonObject> update = refused(failure);
            for (int sent = 1; sent <= 2; sent++) {
                assertThat(owners.updates).as("%s", failure).hasSize(sent);
                owners.pass(PACE.minusMillis(1));
                assertThat(owners.updates).as("%s", failure).hasSize(sent);
                assertThat(update.isComplete()).isFalse();
                owners.pass(Duration.ofMillis(1));
            }
            assertThat(update.cause()).isSameAs(failure);
            owners.pass(Duration.ofSeconds(10));

            assertThat(owners.updates).as("%s", failure).hasSize(3);
            assertThat(owners.updates).containsOnly(owners.updates.get(0));
        }
    }

    @Test
    void aClientThatIsClosedSendsNothingAgainAndSaysWhy() {
        Unavailable failure = Unavailable.notSent(ADDRESS, "a", "its shard has no owner");
        Future<JsonObject> update = refused(failure);
        assertThat(update.isComplete()).isFalse();

        FakeOwners.await(owners.client.close());
        owners.settle();

        assertThat(update.cause()).isSameAs(failure);
        assertThat(owners.timers()).isZero();
        owners.pass(Duration.ofSeconds(10));
        assertThat(owners.updates).hasSize(1);
    }
}
