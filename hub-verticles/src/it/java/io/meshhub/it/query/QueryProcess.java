package io.meshhub.it.query;

import io.meshhub.hub.MeshHub;
import io.meshhub.it.ToParent;
import io.meshhub.it.chaos.ChaosProcess;
import io.meshhub.it.chaos.ChildSettings;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryResult;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node that has {@link TestProvider}s and asks queries, as it is told on its standard input, a line each, whose last word
 * its answer ends with: {@code serve SOURCE KIND}, {@code change SOURCE}, {@code known SOURCE COUNT}, {@code ask SOURCE MS}
 * and {@code follow SOURCE}. It says {@code RESULT SOURCE JSON} and {@code FRAME SOURCE JSON}.
 */
final class QueryProcess {

    private static final long POLL_MS = 50;

    private final ChildSettings settings;
    private final MeshHub hub;
    private final Map<String, TestProvider> healthy = new HashMap<>();

    private QueryProcess(ChildSettings settings, MeshHub hub) {
        this.settings = settings;
        this.hub = hub;
    }

    /** The {@link ChildSettings}. */
    public static void main(String[] args) {
        ChildSettings settings = ChildSettings.parse(args[0]);
        MeshHub.builder().cluster(ChaosProcess.cluster(settings)).start().onComplete((hub, cause) -> {
            if (cause != null) {
                ToParent.say("FAILED " + cause);
                Runtime.getRuntime().halt(1);
                return;
            }
            Thread commands = new Thread(new QueryProcess(settings, hub)::obey, "commands");
            commands.setDaemon(true);
            commands.start();
            ToParent.say("UP " + settings.process());
        });
    }

    private void obey() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ", -1);
                obey(words)
                        .onComplete(done -> ToParent.say((done.succeeded() ? "DONE " : "FAILED " + done.cause() + " ")
                                + words[words.length - 1]));
            }
        } catch (IOException e) {
            ToParent.say("standard input ended: " + e);
        }
        Runtime.getRuntime().halt(2);
    }

    private Future<?> obey(String[] words) {
        return switch (words[0]) {
            case "settle" -> ChaosProcess.settled(hub, settings);
            case "serve" -> serve(words[1], TestProvider.Kind.valueOf(words[2]));
            case "change" -> {
                healthy.get(words[1]).change();
                yield Future.succeededFuture();
            }
            case "known" -> known(words[1], Integer.parseInt(words[2]));
            case "ask" ->
                hub.query()
                        .ask(query(words[1]), caller(Long.parseLong(words[2])))
                        .onSuccess(result -> ToParent.say(
                                "RESULT " + words[1] + " " + json(result).encode()));
            case "follow" -> {
                hub.query()
                        .live(
                                query(words[1]),
                                QueryCaller.MESH,
                                frame -> ToParent.say(
                                        "FRAME " + words[1] + " " + json(frame).encode()));
                yield Future.succeededFuture();
            }
            default -> Future.failedFuture("no such command: " + words[0]);
        };
    }

    private Future<Void> serve(String source, TestProvider.Kind kind) {
        TestProvider provider = new TestProvider(source, kind, settings.name());
        if (kind == TestProvider.Kind.HEALTHY) {
            healthy.put(source, provider);
        }
        return hub.serve(provider);
    }

    private Future<Void> known(String source, int count) {
        Promise<Void> known = Promise.promise();
        hub.vertx()
                .setPeriodic(
                        POLL_MS,
                        timer -> hub.query().providers(source).onComplete((names, failure) -> {
                            if (failure != null || names.size() == count) {
                                hub.vertx().cancelTimer(timer);
                                known.tryComplete();
                            }
                        }));
        return known.future();
    }

    private static Query query(String source) {
        return Query.parse("from:" + source);
    }

    private static QueryCaller caller(long millis) {
        return millis == 0 ? QueryCaller.MESH : QueryCaller.MESH.within(Duration.ofMillis(millis));
    }

    private static JsonObject json(QueryResult result) {
        ProviderCounts counts = result.counts();
        JsonObject json = new JsonObject()
                .put("outcome", result.getClass().getSimpleName())
                .put(
                        "counts",
                        new JsonArray(List.of(
                                counts.providers(),
                                counts.answered(),
                                counts.empty(),
                                counts.failed(),
                                counts.stalled())));
        if (result instanceof QueryResult.Complete complete) {
            json.put("nodes", nodes(complete.nodes())).put("silent", new JsonArray(complete.silent()));
        } else if (result instanceof QueryResult.Stalled stalled) {
            json.put("names", new JsonArray(stalled.failure().providers()))
                    .put("rungMs", stalled.failure().rung().toMillis());
        } else if (result instanceof QueryResult.Failed failed) {
            json.put("names", new JsonArray(failed.providers())).put("givenUp", new JsonArray(failed.givenUp()));
        }
        if (result instanceof QueryResult.Ended ended) {
            json.put("failure", ended.failure().getClass().getSimpleName())
                    .put("text", ended.failure().getMessage());
        }
        return json;
    }

    private static JsonObject json(QueryFrame frame) {
        JsonObject json = new JsonObject().put("frame", frame.getClass().getSimpleName());
        if (frame instanceof QueryFrame.Initial initial) {
            json.put("nodes", nodes(initial.nodes()));
        } else if (frame instanceof QueryFrame.Added added) {
            json.put("nodes", nodes(added.nodes()));
        } else if (frame instanceof QueryFrame.Updated updated) {
            json.put("nodes", nodes(updated.nodes()));
        } else if (frame instanceof QueryFrame.Reset reset) {
            json.put("nodes", nodes(reset.nodes())).put("gone", new JsonArray(reset.gone()));
        }
        return json;
    }

    private static JsonArray nodes(List<QueryNode> nodes) {
        return new JsonArray(
                nodes.stream().map(node -> node.path() + " " + node.version()).toList());
    }
}
