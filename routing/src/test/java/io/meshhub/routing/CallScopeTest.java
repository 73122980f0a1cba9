package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Principal and correlation id follow what a handler does, on the context of its message and on no other. */
@ExtendWith(VertxExtension.class)
class CallScopeTest {

    private static final CallScope ANN = new CallScope("ann", "c-1", "00-trace-01");
    private static final CallScope BOB = new CallScope("bob", "c-2", null);

    @Test
    void outsideOfAMessageNothingIsInherited(Vertx vertx, VertxTestContext test) {
        assertThat(CallScope.current()).isEqualTo(CallScope.NONE);
        on((ContextInternal) vertx.getOrCreateContext())
                .onComplete(test.succeeding(scope -> test.verify(() -> {
                    assertThat(scope).isEqualTo(CallScope.NONE);
                    test.completeNow();
                })));
    }

    @Test
    void theScopeIsInheritedOnTheContextOfTheMessageAlsoFromLaterCallbacks(Vertx vertx, VertxTestContext test) {
        ContextInternal message = message((VertxInternal) vertx, ANN);
        Promise<CallScope> later = Promise.promise();
        message.runOnContext(start -> vertx.setTimer(
                1,
                timer -> vertx.executeBlocking(() -> "work")
                        .onComplete(done -> vertx.setTimer(1, again -> later.complete(CallScope.current())))));

        Future.all(on(message), later.future())
                .onComplete(test.succeeding(both -> test.verify(() -> {
                    assertThat(both.<CallScope>resultAt(0)).isEqualTo(ANN);
                    assertThat(both.<CallScope>resultAt(1)).isEqualTo(ANN);
                    test.completeNow();
                })));
    }

    @Test
    void twoMessagesOfOneHubDoNotSeeEachOthersScope(Vertx vertx, VertxTestContext test) {
        ContextInternal hub = (ContextInternal) vertx.getOrCreateContext();
        ContextInternal first = hub.duplicate();
        ContextInternal second = hub.duplicate();
        ContextInternal third = hub.duplicate();
        ANN.enter(first);
        BOB.enter(second);

        Future.all(on(first), on(second), on(third), on(hub))
                .onComplete(test.succeeding(all -> test.verify(() -> {
                    assertThat(all.<CallScope>list()).containsExactly(ANN, BOB, CallScope.NONE, CallScope.NONE);
                    test.completeNow();
                })));
    }

    @Test
    void theScopeDoesNotLeakToAnotherContextThatTheHandlerWakes(Vertx vertx, VertxTestContext test) {
        ContextInternal message = message((VertxInternal) vertx, ANN);
        ContextInternal other = ((VertxInternal) vertx).createEventLoopContext();
        Promise<CallScope> there = Promise.promise();
        message.runOnContext(start -> other.runOnContext(woken -> there.complete(CallScope.current())));

        there.future()
                .onComplete(test.succeeding(scope -> test.verify(() -> {
                    assertThat(scope).isEqualTo(CallScope.NONE);
                    test.completeNow();
                })));
    }

    private static ContextInternal message(VertxInternal vertx, CallScope scope) {
        ContextInternal message = vertx.createEventLoopContext().duplicate();
        scope.enter(message);
        return message;
    }

    private static Future<CallScope> on(ContextInternal context) {
        Promise<CallScope> seen = Promise.promise();
        context.runOnContext(v -> seen.complete(CallScope.current()));
        return seen.future();
    }
}
