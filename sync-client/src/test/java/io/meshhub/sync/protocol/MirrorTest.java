package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.sync.protocol.Mirror.Effect;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a subscriber's copy takes in frames. */
@Timeout(30)
class MirrorTest {

    private Mirror mirror = Mirror.empty();

    private static ActivationId id(int counter) {
        return ActivationId.of(7, counter);
    }

    private static Frame full(int activation, long sequence, String json) {
        Object tree = JsonTrees.of(new JsonObject(json));
        return new Frame("s", id(activation), sequence, sequence, new Frame.Full(Trees.document(tree)), false);
    }

    private static Frame patch(int activation, long sequence, String operations) {
        return new Frame("s", id(activation), sequence, sequence, new Frame.Patch(new JsonArray(operations)), false);
    }

    private Effect take(Frame frame) {
        Mirror.Step step = mirror.on(frame);
        mirror = step.mirror();
        return step.effect();
    }

    private static String setA(int value) {
        return "[{\"op\":\"replace\",\"path\":\"/v/a\",\"value\":" + value + "}]";
    }

    private Object value() {
        return JsonTrees.toJson(mirror.value().orElseThrow());
    }

    @Test
    void aFullLandsAndTheNextPatchFollowsIt() {
        assertThat(take(full(1, 1, "{\"a\":1}"))).isEqualTo(Effect.CHANGED);
        assertThat(take(patch(1, 2, setA(2)))).isEqualTo(Effect.CHANGED);

        assertThat(value()).isEqualTo(new JsonObject("{\"a\":2}"));
        assertThat(mirror.version()).isEqualTo(2);
    }

    @Test
    void aPatchBeforeAnyFullMakesExactlyOneRequest() {
        assertThat(take(patch(1, 1, setA(2)))).isEqualTo(Effect.GAP);
        assertThat(take(patch(1, 2, setA(3)))).isEqualTo(Effect.NONE);
        assertThat(mirror.isWaiting()).isTrue();

        assertThat(take(full(1, 3, "{\"a\":4}"))).isEqualTo(Effect.CHANGED);
        assertThat(mirror.isWaiting()).isFalse();
    }

    @Test
    void aGapMakesExactlyOneRequestAndTheFullHealsIt() {
        take(full(1, 1, "{\"a\":1}"));

        assertThat(take(patch(1, 3, setA(3)))).isEqualTo(Effect.GAP);
        assertThat(take(patch(1, 4, setA(4)))).isEqualTo(Effect.NONE);
        assertThat(take(full(1, 5, "{\"a\":5}"))).isEqualTo(Effect.CHANGED);
        assertThat(take(patch(1, 6, setA(6)))).isEqualTo(Effect.CHANGED);
        assertThat(value()).isEqualTo(new JsonObject("{\"a\":6}"));
    }

    @Test
    void anUnknownActivationMakesOneRequest() {
        take(full(1, 1, "{\"a\":1}"));

        assertThat(take(patch(2, 2, setA(3)))).isEqualTo(Effect.GAP);
    }

    @Test
    void aStaleFrameChangesNothing() {
        take(full(2, 1, "{\"a\":1}"));
        take(patch(2, 2, setA(2)));
        Mirror before = mirror;

        assertThat(take(patch(2, 2, setA(9)))).isEqualTo(Effect.NONE);
        assertThat(take(patch(1, 3, setA(9)))).isEqualTo(Effect.NONE);
        assertThat(take(full(1, 7, "{\"a\":9}"))).isEqualTo(Effect.NONE);
        assertThat(mirror).isSameAs(before);
    }

    @Test
    void aFullOfTheSameOwnerLandsWhateverItsNumber() {
        take(full(1, 5, "{\"a\":1}"));

        assertThat(take(full(1, 2, "{\"a\":2}"))).isEqualTo(Effect.CHANGED);
        assertThat(mirror.sequence()).isEqualTo(2);
    }

    @Test
    void whatSaysTheSameInAnotherOrderEmitsNothing() {
        take(full(1, 1, "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}"));

        assertThat(take(full(1, 2, "{\"b\":{\"d\":3,\"c\":2},\"a\":1}"))).isEqualTo(Effect.NONE);
        assertThat(mirror.version()).isEqualTo(2);
    }

    @Test
    void aPatchForAnotherDocumentIsAGap() {
        take(full(1, 1, "{\"b\":1}"));

        assertThat(take(patch(1, 2, setA(2)))).isEqualTo(Effect.GAP);
        assertThat(value()).isEqualTo(new JsonObject("{\"b\":1}"));
    }

    @Test
    void afterAFinalFrameNothingChanges() {
        Frame last = new Frame("s", id(1), 1, 1, new Frame.Full(Trees.document("end")), true);
        assertThat(take(last)).isEqualTo(Effect.CHANGED);

        assertThat(take(full(2, 2, "{\"a\":1}"))).isEqualTo(Effect.NONE);
        assertThat(mirror.isLast()).isTrue();
        assertThat(mirror.value()).contains("end");
    }

    @Test
    void aViewThatNamesNothingHasNoValueUntilItDoes() {
        take(new Frame("s", id(1), 1, 1, new Frame.Full(java.util.Map.of()), false));
        assertThat(mirror.value()).isEmpty();
        assertThat(mirror.document()).isPresent();

        take(patch(1, 2, "[{\"op\":\"add\",\"path\":\"/v\",\"value\":5}]"));
        assertThat(mirror.value()).contains(5);
    }

    @Test
    void itsOwnWriteLandsWithoutComingBackAndOneItForgotIsAGap() {
        take(full(1, 1, "{\"a\":1}"));
        Frame own = new Frame("s", id(1), 2, 2, new Frame.Own(4), false);

        Mirror.Step landed = mirror.on(own, Optional.of(Trees.document(3)));
        assertThat(landed.effect()).isEqualTo(Effect.CHANGED);
        assertThat(landed.mirror().value()).contains(3);
        assertThat(mirror.on(own).effect()).isEqualTo(Effect.GAP);
    }
}
