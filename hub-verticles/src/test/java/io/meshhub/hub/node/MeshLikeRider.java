package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Asks again while the answer says that nothing was executed, as a router does. */
final class MeshLikeRider {

    private MeshLikeRider() {}

    static MeshBody ride(Supplier<Future<MeshBody>> ask) {
        AtomicReference<MeshBody> reply = new AtomicReference<>();
        Awaitility.await().until(() -> {
            Future<MeshBody> asked = ask.get();
            Throwable failure = catchThrowable(asked::await);
            if (failure != null) {
                assertThat(((MeshException) failure).remedy()).isEqualTo(Remedy.RIDE_OUT);
                return false;
            }
            reply.set(asked.result());
            return true;
        });
        return reply.get();
    }

    static void until(Supplier<Future<MeshBody>> ask, Class<? extends MeshException> kind) {
        Awaitility.await().until(() -> {
            Throwable failure = catchThrowable(() -> ask.get().await());
            assertThat(failure).isInstanceOf(MeshException.class);
            if (((MeshException) failure).remedy() == Remedy.RIDE_OUT) {
                return false;
            }
            assertThat(failure).isInstanceOf(kind);
            return true;
        });
    }
}
