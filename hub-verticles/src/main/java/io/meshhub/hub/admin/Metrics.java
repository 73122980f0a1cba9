package io.meshhub.hub.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** {@code /metrics}: all meters in the Prometheus text format. */
final class Metrics {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Vertx vertx;
    private final @Nullable PrometheusMeterRegistry registry;

    Metrics(Vertx vertx, @Nullable PrometheusMeterRegistry registry) {
        this.vertx = vertx;
        this.registry = registry;
    }

    void scrape(RoutingContext ctx) {
        QueryParameters.of(ctx);
        PrometheusMeterRegistry scraped = registry;
        if (scraped == null) {
            throw Problem.noRoute(String.valueOf(ctx.request().path()));
        }
        // Gauges may take locks and the text grows with the meters: no event loop has to wait for that.
        vertx.executeBlocking(() -> Buffer.buffer(scraped.scrape()), false)
                .onSuccess(text -> Answers.send(ctx, 200, TEXT, text))
                .onFailure(ctx::fail);
    }
}
