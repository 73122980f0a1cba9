package io.meshhub.hub.access.directory;

import static io.meshhub.hub.access.directory.DirectoryStateTest.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Lookup.Found;
import io.meshhub.hub.access.Lookup.Unavailable;
import io.meshhub.hub.access.Lookup.Unknown;
import io.meshhub.hub.access.policy.AccessPolicies;
import io.meshhub.hub.access.policy.PolicyHouse;
import io.meshhub.hub.access.policy.PolicyHouse.Source;
import io.meshhub.routing.failure.FailureDetail;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The directory over a fan-in, in a time of the test's own. */
@Timeout(60)
class IdentityDirectoryTest {

    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration PERMISSION_RUNG = PolicyHouse.BUDGETS.permission();
    private static final Duration QUERY_RUNG = PolicyHouse.BUDGETS.queryInitial();
    private static final Key ANN = Key.email("ann@example.org");

    private final Source store = new Source("store").has(identity("ann-1", "ann", "ann@example.org"));
    private final PolicyHouse house = PolicyHouse.of(store);
    private final IdentityDirectory directory =
            new IdentityDirectory(new AccessPolicies.Parts("a", house.fanIn, house, house, house), PolicyHouse.BUDGETS);
    private String deployment = "";

    @BeforeEach
    void deploy() {
        deployment = String.valueOf(PolicyHouse.await(house.vertx.deployVerticle(directory)));
        house.also = () -> PolicyHouse.await(directory.settled());
    }

    @AfterEach
    void close() {
        house.close();
    }

    private Future<Lookup> find(Key key) {
        Future<Lookup> found = directory.find(key);
        house.settle();
        return found;
    }

    private void fail() {
        store.calls
                .get(store.calls.size() - 1)
                .fail(new io.meshhub.routing.failure.Unavailable("the disk is gone", FailureDetail.NONE, false));
        house.settle();
    }

    @Test
    void itOpensWithTheFirstWhoWaitsAndFollowsFromThenOn() {
        assertThat(directory.known(ANN)).isInstanceOf(Unavailable.class);
        house.settle();
        assertThat(store.calls).isEmpty();

        assertThat(find(ANN).result()).isEqualTo(new Found("ann"));
        assertThat(directory.known(Key.id("nobody"))).isEqualTo(new Unknown());
        store.has(identity("bob-1", "bob"));
        house.pass(Duration.ofMillis(60));
        assertThat(directory.known(Key.id("bob-1"))).isEqualTo(new Found("bob"));
        assertThat(store.calls).hasSize(1);
    }

    /** P6. */
    @Test
    void allWhoWaitOnADeadDirectoryAreReleasedByTheFirstSnapshotAfterTheReopen() {
        assertThat(find(ANN).result()).isEqualTo(new Found("ann"));
        fail();
        assertThat(directory.known(ANN)).isInstanceOf(Unavailable.class);
        List<Future<Lookup>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(find(i % 2 == 0 ? ANN : Key.id("nobody")));
        }
        assertThat(waiting).noneMatch(Future::isComplete);

        house.pass(AccessPolicies.REST.minus(MOMENT));
        assertThat(store.calls).hasSize(1);
        house.pass(MOMENT);

        assertThat(store.calls).as("one re-open for all").hasSize(2);
        assertThat(waiting.get(0).result()).isEqualTo(new Found("ann"));
        assertThat(waiting.get(1).result()).isEqualTo(new Unknown());
        assertThat(waiting).allMatch(Future::succeeded);
        assertThat(house.timers()).isZero();
    }

    /** P6. */
    @Test
    void withoutASnapshotEachIsRefusedAtItsOwnBoundAndTheProviderIsNamed() {
        store.silent = true;
        Future<Lookup> first = find(ANN);
        house.pass(Duration.ofSeconds(3));
        Future<Lookup> second = find(ANN);

        house.pass(PERMISSION_RUNG.minusSeconds(3).minus(MOMENT));
        assertThat(first.isComplete()).isFalse();
        house.pass(MOMENT);
        assertThat(first.result()).isInstanceOfSatisfying(Unavailable.class, why -> {
            assertThat(why.providers()).containsExactly("store");
            assertThat(why.reason()).contains("not read within 20.0 s", "no first result of 'store'");
        });
        house.pass(Duration.ofSeconds(3).minus(MOMENT));
        assertThat(second.isComplete()).isFalse();
        house.pass(MOMENT);
        assertThat(second.result()).isInstanceOf(Unavailable.class);
    }

    /** P11. */
    @Test
    void aDirectoryThatStallsForGoodIsOpenedOneAtATimeAndPaced() {
        store.silent = true;
        List<Future<Lookup>> waiting = new ArrayList<>();
        long seconds = 3 * (QUERY_RUNG.toSeconds() + 1);
        for (int second = 0; second < seconds; second++) {
            waiting.add(find(ANN));
            house.pass(Duration.ofSeconds(1));
        }

        assertThat(store.calls).hasSize(4);
        assertThat(store.cancelled.get()).isEqualTo(3);
        house.pass(Duration.ofMinutes(5));
        assertThat(waiting).allSatisfy(one -> assertThat(one.result()).isInstanceOf(Unavailable.class));
        int opened = store.calls.size();
        house.pass(Duration.ofHours(1));
        assertThat(store.calls).as("nobody waits, so nobody asks").hasSize(opened);
    }

    @Test
    void afterTheStopNobodyWaits() {
        store.silent = true;
        Future<Lookup> waiting = find(ANN);
        house.also = () -> {};

        PolicyHouse.await(house.vertx.undeploy(deployment));

        assertThat(waiting.result()).isInstanceOf(Unavailable.class);
        assertThat(directory.known(ANN)).isInstanceOf(Unavailable.class);
        house.settle();
        assertThat(directory.find(ANN).result()).isInstanceOf(Unavailable.class);
        assertThat(house.timers()).isZero();
    }
}
