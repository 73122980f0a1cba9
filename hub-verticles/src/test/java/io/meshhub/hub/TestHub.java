package io.meshhub.hub;

import io.vertx.core.Vertx;
import java.util.function.BiConsumer;

/** A hub whose setup is given by the test. */
final class TestHub extends HubVerticle {

    private final BiConsumer<TestHub, HubSetup> setup;

    TestHub(BiConsumer<TestHub, HubSetup> setup) {
        this.setup = setup;
    }

    @Override
    protected void configure(HubSetup hubSetup) {
        setup.accept(this, hubSetup);
    }

    HubContext self() {
        return hub();
    }

    Vertx vertx() {
        return vertx;
    }
}
