package io.meshhub.hub.admin;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.CheckResult;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * One question about the health of this node, such as "ready", with the checks that answer it.
 *
 * <p>200 when all are up, else 503; the body names each check. A check that throws, fails or does not answer in time is
 * down.
 */
final class HealthRoutes {

    private final HealthChecks checks;
    private final Duration bound;

    /**
     * Without a check yet.
     *
     * @param bound after which time a check is down
     */
    HealthRoutes(Vertx vertx, Duration bound) {
        this.checks = HealthChecks.create(vertx);
        this.bound = bound;
    }

    void add(String name, Supplier<Future<Status>> check) {
        checks.register(
                name,
                bound.toMillis(),
                promise -> check.get().onSuccess(promise::tryComplete).onFailure(promise::tryFail));
    }

    void answer(RoutingContext ctx) {
        QueryParameters.of(ctx);
        checks.checkStatus()
                .onSuccess(result -> {
                    boolean up = CheckResult.isUp(result);
                    Answers.json(ctx, up ? 200 : 503, toJson(result, up));
                })
                .onFailure(ctx::fail);
    }

    private static JsonObject toJson(CheckResult result, boolean up) {
        JsonArray each = new JsonArray();
        if (result.getChecks() != null) {
            for (CheckResult check : result.getChecks()) {
                JsonObject json =
                        new JsonObject().put("id", check.getId()).put("status", word(CheckResult.isUp(check)));
                if (check.getData() != null && !check.getData().isEmpty()) {
                    json.put("data", check.getData());
                }
                each.add(json);
            }
        }
        return new JsonObject().put("status", word(up)).put("outcome", word(up)).put("checks", each);
    }

    private static String word(boolean up) {
        return up ? "UP" : "DOWN";
    }
}
