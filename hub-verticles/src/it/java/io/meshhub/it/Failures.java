package io.meshhub.it;

import io.vertx.core.Vertx;

/** Replies with failures over the bare event bus, to show that their codecs are enough. */
final class Failures {

    /** Where one asks, with the kind as the body. */
    static final String ADDRESS = "test.failures";

    private Failures() {}

    static void replyRaw(Vertx vertx) {
        vertx.eventBus().<String>consumer(ADDRESS, message -> message.reply(TestHubs.failure(message.body())));
    }
}
