package io.meshhub.routing;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import org.jspecify.annotations.Nullable;

/**
 * What everything that a handler sends inherits from the message it handles, also from later callbacks.
 *
 * <p>It lives in a local of the Vert.x context on which the handler runs; each message has a context of its own.
 *
 * @param principal on whose behalf the message was sent
 * @param correlationId ties together all that one request caused
 * @param traceparent the W3C trace context
 */
public record CallScope(
        @Nullable String principal,
        @Nullable String correlationId,
        @Nullable String traceparent) {

    /** Nothing is inherited. */
    public static final CallScope NONE = new CallScope(null, null, null);

    private static final ContextLocal<CallScope> LOCAL = ContextLocal.registerLocal(CallScope.class);

    /** The scope of the message that is being handled on this thread; {@link #NONE} outside of one. */
    public static CallScope current() {
        Context context = Vertx.currentContext();
        if (!(context instanceof ContextInternal internal)) {
            return NONE;
        }
        CallScope scope = internal.getLocal(LOCAL);
        return scope == null ? NONE : scope;
    }

    /** Makes this the scope of all that runs on the context, which must be a duplicate made for one message. */
    public void enter(ContextInternal context) {
        context.putLocal(LOCAL, this);
    }

    /** Registers the local: it must be known before a Vertx is made. */
    public static final class Registration implements VertxServiceProvider {

        /** For the service loader. */
        public Registration() {}

        @Override
        public void init(VertxBootstrap bootstrap) {
            // Loading CallScope is what registers the local.
            if (LOCAL == null) {
                throw new IllegalStateException("the call scope has no context local");
            }
        }
    }
}
