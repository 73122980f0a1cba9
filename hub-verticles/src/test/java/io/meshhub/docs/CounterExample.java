package io.meshhub.docs;

// snippet-begin
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;

public final class CounterExample {

    record Add(int amount) {}

    record Total(int value) {}

    /** One counter: `counter/7` is another one than `counter/8`, and each lives in one place. */
    static final class Counter extends HubVerticle {

        private int total;

        @Override
        protected void configure(HubSetup setup) {
            setup.on(Add.class, add -> {
                total += add.amount();
                return Future.succeededFuture(new Total(total));
            });
        }
    }

    static Future<Total> count(Mesh mesh) {
        MeshAddress seven = MeshAddress.of("counter/7");
        return mesh.send(seven, new Add(2)).compose(accepted -> mesh.request(seven, new Add(3), Total.class));
    }

    public static void main(String[] args) {
        MeshHub.builder()
                .hub("counter", Counter::new)
                .start()
                .compose(hub -> count(hub.mesh())
                        .onSuccess(total -> System.out.println("counter/7 is at " + total.value()))
                        .eventually(hub::stop))
                .onFailure(failure -> System.err.println(failure.getMessage()));
    }
}
// snippet-end
