package io.meshhub.hub.access.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Lookup.Found;
import io.meshhub.hub.access.Lookup.Unavailable;
import io.meshhub.hub.access.Lookup.Unknown;
import io.meshhub.hub.access.directory.DirectoryState.Command;
import io.meshhub.hub.access.directory.DirectoryState.Event;
import io.meshhub.hub.access.directory.DirectoryState.Phase;
import io.meshhub.hub.access.directory.DirectoryState.Step;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P5, P6, P11: every look-up between every two steps, in every order of a few events. */
class DirectoryStateTest {

    private static final Key ANN = Key.id("ann-1");
    private static final Key NOBODY = Key.id("nobody");
    private static final Unavailable FAULT = new Unavailable(List.of("inventory"), "it stalled");
    private static final int DEPTH = 7;

    static QueryNode identity(String id, String principal, String... emails) {
        MeshAddress address = MeshAddress.of(IdentityDirectory.ADDRESS + "/" + id);
        JsonObject content = new JsonObject().put("principal", principal).put("emails", new JsonArray(List.of(emails)));
        return new QueryNode(address, Identities.NODE_TYPE, id, content, 1);
    }

    private static final Identities ALL = Identities.of(List.of(identity("ann-1", "ann")));

    private static DirectoryState after(Event... events) {
        DirectoryState state = DirectoryState.CLOSED;
        for (Event event : events) {
            state = state.on(event).last();
        }
        return state;
    }

    /** P5. */
    @Test
    void aLookUpBetweenAnyTwoStepsOfTheReopenSeesUnavailableAtWorst() {
        DirectoryState failed =
                after(new Event.Waits(), new Event.Told(1, ALL), new Event.Failed(1, FAULT), new Event.RestIsOver());
        assertThat(failed.phase()).isEqualTo(Phase.RESTED);
        assertThat(failed.find(NOBODY)).isEqualTo(FAULT);

        DirectoryState.Turn turn = failed.on(new Event.Waits());

        assertThat(turn.through()).as("three steps and the opening").hasSize(4);
        assertThat(turn.through()).allSatisfy(state -> {
            assertThat(state.find(NOBODY)).isInstanceOf(Unavailable.class);
            assertThat(state.find(ANN)).isInstanceOf(Unavailable.class);
        });
        assertThat(turn.last().failure()).isNull();
        assertThat(turn.commands()).containsExactly(new Command.Open(2));
        DirectoryState read = turn.last().on(new Event.Told(2, ALL)).last();
        assertThat(read.find(ANN)).isEqualTo(new Found("ann"));
        assertThat(read.find(NOBODY)).isEqualTo(new Unknown());
    }

    /** P5, the negative control: why the order is what it is. */
    @Test
    void everyOrderThatClearsTheFailureBeforeReadinessTellsOfNobodyOrOfThePast() {
        DirectoryState failed =
                after(new Event.Waits(), new Event.Told(1, ALL), new Event.Failed(1, FAULT), new Event.RestIsOver());
        int safe = 0;
        for (List<Step> order : permutations(List.of(Step.values()))) {
            List<Lookup> seen = new ArrayList<>();
            DirectoryState state = failed;
            for (Step step : order) {
                state = step.of(state);
                seen.add(state.find(NOBODY));
                seen.add(state.find(ANN));
            }
            boolean isSafe = seen.stream().allMatch(Unavailable.class::isInstance);
            assertThat(isSafe)
                    .as("%s", order)
                    .isEqualTo(order.indexOf(Step.NOT_READY) < order.indexOf(Step.CLEAR_FAILURE));
            safe += isSafe ? 1 : 0;
        }
        assertThat(safe).isEqualTo(3);
        assertThat(Step.values()).containsExactly(Step.NOT_READY, Step.CLEAR_INDEXES, Step.CLEAR_FAILURE);
    }

    private static List<List<Step>> permutations(List<Step> steps) {
        if (steps.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Step>> all = new ArrayList<>();
        for (Step first : steps) {
            List<Step> others = new ArrayList<>(steps);
            others.remove(first);
            for (List<Step> tail : permutations(others)) {
                List<Step> one = new ArrayList<>(List.of(first));
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }

    /** What a history of events has led to, beside the state itself. */
    private record World(DirectoryState state, boolean told, boolean open, boolean resting, int waiting) {}

    private int histories;
    private int lookups;

    /** P5, P6, P11. */
    @Test
    void inEveryOrderOfEventsNobodyIsMistakenNobodyIsLostAndOneIsOpenAtMost() {
        walk(new World(DirectoryState.CLOSED, false, false, false, 0), 0);

        assertThat(histories).isGreaterThan(10_000);
        assertThat(lookups).isGreaterThan(histories);
    }

    private void walk(World world, int depth) {
        if (depth == DEPTH) {
            histories++;
            return;
        }
        long now = world.state.opening();
        List<Event> events = new ArrayList<>(
                List.of(new Event.Waits(), new Event.Told(now - 1, ALL), new Event.Failed(now - 1, FAULT)));
        if (world.waiting > 0) {
            events.add(new Event.GaveUp());
        }
        if (world.open) {
            events.add(new Event.Told(now, ALL));
            events.add(new Event.Failed(now, FAULT));
        }
        if (world.resting) {
            events.add(new Event.RestIsOver());
        }
        events.forEach(event -> walk(step(world, event), depth + 1));
    }

    private World step(World before, Event event) {
        DirectoryState.Turn turn = before.state.on(event);
        boolean current = event instanceof Event.Told told && before.open && told.opening() == before.state.opening();
        boolean ended =
                event instanceof Event.Failed failed && before.open && failed.opening() == before.state.opening();
        boolean told = current || (before.told && !ended);
        for (DirectoryState state : turn.through()) {
            lookups++;
            assertThat(state.find(NOBODY))
                    .as("%s after %s", state, event)
                    .isInstanceOf(told ? Unknown.class : Unavailable.class);
            assertThat(state.find(ANN)).isInstanceOf(told ? Found.class : Unavailable.class);
        }
        boolean resting = (before.resting && !(event instanceof Event.RestIsOver)) || ended;
        boolean open = before.open && !ended;
        int waiting = before.waiting + (event instanceof Event.Waits ? 1 : 0) - (event instanceof Event.GaveUp ? 1 : 0);
        for (Command command : turn.commands()) {
            if (command instanceof Command.Open opened) {
                assertThat(open).as("another is open").isFalse();
                assertThat(resting).as("it rests").isFalse();
                assertThat(opened.opening()).isEqualTo(before.state.opening() + 1);
                open = true;
            } else if (command instanceof Command.Rest) {
                assertThat(ended).as("rests after a fault only").isTrue();
            } else {
                assertThat(told).as("released by a snapshot").isTrue();
                waiting = 0;
            }
        }
        assertThat(turn.last().waiting()).isEqualTo(waiting);
        if (waiting > 0) {
            assertThat(open || resting)
                    .as("something will come for those who wait")
                    .isTrue();
            assertThat(told).as("nobody waits for what is there").isFalse();
        }
        return new World(turn.last(), told, open, resting, waiting);
    }

    @Test
    void anAddressOfTwoIsNobodysAndNobodyIsUnknownByEmailWhileOneCannotBeRead() {
        Identities both = Identities.of(List.of(
                identity("ann-1", "ann", "Ann@Example.org", "shared@example.org"),
                identity("bob-1", "bob", "SHARED@example.org")));
        assertThat(both.find(Key.email("ann@example.ORG"))).isEqualTo(new Found("ann"));
        assertThat(both.find(Key.email("shared@example.org"))).isInstanceOf(Unavailable.class);
        assertThat(both.find(Key.email("none@example.org"))).isInstanceOf(Unknown.class);
        assertThat(both.find(Key.id("bob-1"))).isEqualTo(new Found("bob"));

        QueryNode broken = new QueryNode(
                MeshAddress.of(IdentityDirectory.ADDRESS + "/eve-1"), Identities.NODE_TYPE, "e", new JsonObject(), 4);
        Identities some = Identities.of(List.of(identity("ann-1", "ann", "ann@example.org"), broken));
        assertThat(some.find(Key.email("ann@example.org"))).isEqualTo(new Found("ann"));
        assertThat(some.find(Key.email("none@example.org"))).isInstanceOf(Unavailable.class);
        assertThat(some.find(Key.id("eve-1"))).isInstanceOf(Unavailable.class);
        assertThat(some.find(Key.id("none-1"))).isInstanceOf(Unknown.class);
        assertThat(some.faults()).singleElement().asString().contains("_control/_Identity/eve-1, version 4");
    }
}
