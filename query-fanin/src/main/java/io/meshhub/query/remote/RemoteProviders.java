package io.meshhub.query.remote;

import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryProvider;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureCodecs;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The providers of other nodes in the fan-in of this one, and those of this node for the others.
 *
 * <p>Each announces itself with every beat, as {@code name@node}; one that says that it goes, or whose process is dropped
 * from the mesh leaves the fan-in at once: a query that waits for it fails and names it, a live one is reset without its
 * nodes. One that comes back is opened by the live queries again. One that is silent and of a member is asked on, so that
 * no result passes for whole without it; only of a process that is no member three silent beats are the end. A call that
 * its client does not ask for in three beats, or whose client is dropped, is ended where it is served.
 *
 * <p>Safe from any thread; what is not public is touched on one context.
 */
public final class RemoteProviders {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteProviders.class);

    /** The most announcements that wait for the mesh to know their process. */
    private static final int MOST_HELD = 1_000;

    /** The most calls of others at one time. */
    private static final int MOST_SERVED = 10_000;

    // What is not said by then is made good by the beats that do not come.
    private static final Duration LAST_WORD = Duration.ofSeconds(1);

    private final RemoteParts parts;
    private final QueryFanIn fanIn;
    private final String place;
    private final RemoteCalls calls;
    private final Map<String, QueryProvider> serving = new LinkedHashMap<>();
    private final Map<String, ServedCall> served = new LinkedHashMap<>();
    private final Map<String, RemoteProvider> known = new LinkedHashMap<>();
    private final Map<String, Announcement> held = new LinkedHashMap<>();
    private final List<MessageConsumer<JsonObject>> consumers = new ArrayList<>();
    private final RollCall rollCall;
    private long lastBeat;
    private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
    private volatile boolean closed;

    private RemoteProviders(RemoteParts parts, QueryFanIn fanIn) {
        this.parts = parts;
        this.fanIn = fanIn;
        String id = parts.incarnation() + "." + UUID.randomUUID().toString().substring(0, 8);
        this.place = "mesh.query.serve." + id;
        this.calls = new RemoteCalls(parts, "mesh.query.client." + id);
        this.rollCall = new RollCall(parts);
    }

    /**
     * Hears what is announced from now on, and asks who is there: completes once all that are up have answered, or after
     * {@link RollCall#BOUND}.
     *
     * @param fanIn takes the providers of others; it is deployed
     */
    public static Future<RemoteProviders> start(RemoteParts parts, QueryFanIn fanIn) {
        RemoteProviders made = new RemoteProviders(parts, fanIn);
        Promise<RemoteProviders> started = Promise.promise();
        parts.membership().onChange(made::changed);
        parts.execute(() -> made.begin().map(made).onComplete(started));
        return started.future();
    }

    private Future<Void> begin() {
        FailureCodecs.register(parts.bus());
        consumers.add(parts.bus().consumer(Wire.ANNOUNCEMENTS, message -> announced(message.body())));
        consumers.add(parts.bus().consumer(place, this::asked));
        consumers.add(parts.bus().consumer(calls.place(), message -> calls.heard(message.body())));
        arm();
        return Future.join(consumers.stream().map(MessageConsumer::completion).toList())
                .compose(ready -> {
                    rollCall.begin();
                    askWho();
                    return rollCall.complete();
                });
    }

    private void askWho() {
        parts.bus().publish(Wire.ANNOUNCEMENTS, new JsonObject().put("say", "who"));
    }

    /** Lets other nodes ask the provider; those of this node ask it where it is registered itself. */
    public Future<Void> serve(QueryProvider provider) {
        Promise<Void> done = Promise.promise();
        parts.execute(() -> {
            if (serving.putIfAbsent(provider.name(), provider) == null) {
                announce(provider, "here");
                done.complete();
            } else {
                done.fail(new IllegalStateException(
                        "A query provider '" + provider.name() + "' is served on node " + parts.node()));
            }
        });
        return done.future();
    }

    /** Tells the others that exactly this provider goes, and ends their calls to it. */
    public Future<Void> withdraw(QueryProvider provider) {
        Promise<Void> done = Promise.promise();
        parts.execute(() -> {
            if (serving.remove(provider.name(), provider)) {
                announce(provider, "gone");
                endCalls(provider);
            }
            done.complete();
        });
        return done.future();
    }

    private void endCalls(QueryProvider provider) {
        served.values().removeIf(call -> {
            boolean its = call.provider() == provider;
            if (its) {
                call.close();
            }
            return its;
        });
    }

    /** Tells the others that all providers go, forgets theirs, and hears nothing any more. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        parts.execute(() -> {
            if (closed) {
                done.complete();
                return;
            }
            closed = true;
            timer.cancel();
            rollCall.end();
            held.clear();
            List<Future<Void>> deaf = new ArrayList<>();
            serving.values().forEach(provider -> deaf.add(sayGone(provider)));
            serving.clear();
            served.values().forEach(ServedCall::close);
            served.clear();
            List.copyOf(known.values()).forEach(this::forget);
            consumers.forEach(consumer -> deaf.add(consumer.unregister()));
            Future.join(deaf).<Void>mapEmpty().onComplete(done);
        });
        return done.future();
    }

    private void announce(QueryProvider provider, String say) {
        parts.bus().publish(Wire.ANNOUNCEMENTS, announcement(provider, say));
    }

    // Waited for: a node that ends closes its Vert.x next, under the look-up of those who hear it.
    private Future<Void> sayGone(QueryProvider provider) {
        return parts.bus()
                .<JsonObject>publisher(Wire.ANNOUNCEMENTS)
                .write(announcement(provider, "gone"))
                .timeout(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }

    private JsonObject announcement(QueryProvider provider, String say) {
        return new Announcement(provider.name(), provider.source(), parts.node(), parts.incarnation(), place)
                .toJson(say);
    }

    // With what it has in all, also nothing: whoever waits for its answer has it, and a "gone" that was lost is made
    // good.
    private void announceAll() {
        serving.values().forEach(provider -> announce(provider, "here"));
        JsonArray names = new JsonArray();
        serving.keySet().forEach(names::add);
        Announcement all = new Announcement("", "", parts.node(), parts.incarnation(), place);
        parts.bus().publish(Wire.ANNOUNCEMENTS, all.toJson("all").put("names", names));
    }

    private void toldAll(Announcement all, JsonArray names) {
        held.values().removeIf(waits -> waits.place().equals(all.place()) && !names.contains(waits.name()));
        List.copyOf(known.values()).stream()
                .filter(provider -> provider.place().equals(all.place()) && !names.contains(provider.ownName()))
                .forEach(this::forget);
        rollCall.answered(all.incarnation());
    }

    private void announced(JsonObject json) {
        String say = json.getString("say", "");
        if (closed) {
            return;
        }
        if (say.equals("who")) {
            announceAll();
            return;
        }
        Announcement announcement = Announcement.read(json);
        if (announcement.place().equals(place)) {
            return;
        }
        if (say.equals("all")) {
            toldAll(announcement, json.getJsonArray("names", new JsonArray()));
            return;
        }
        RemoteProvider there = known.get(announcement.fullName());
        boolean same = there != null && there.place().equals(announcement.place());
        if (say.equals("gone")) {
            held.values().removeIf(announcement::equals);
            if (same && there != null) {
                forget(there);
            }
        } else if (say.equals("here")) {
            if (same && there != null) {
                there.heard(parts.now());
            } else {
                learn(there, announcement);
            }
        }
    }

    // One of the same name at another place has started anew.
    private void learn(@Nullable RemoteProvider before, Announcement announcement) {
        if (isNoMember(announcement.incarnation())) {
            // Perhaps not yet: what is said of a process may come before the mesh tells that it is there.
            held.remove(announcement.fullName());
            if (held.size() >= MOST_HELD) {
                held.remove(held.keySet().iterator().next());
            }
            held.put(announcement.fullName(), announcement);
            return;
        }
        if (before != null) {
            forget(before);
        }
        RemoteProvider made = new RemoteProvider(calls, announcement, parts.now());
        known.put(made.name(), made);
        Future<Void> registers = fanIn.register(made);
        rollCall.registers(registers);
        registers
                .onSuccess(registered -> LOG.info(
                        "Query provider '{}' of source '{}' is there (node {})",
                        made.name(),
                        made.source(),
                        parts.node()))
                .onFailure(refused -> {
                    LOG.warn(
                            "Query provider '{}' is not asked on node {}: {}",
                            made.name(),
                            parts.node(),
                            refused.toString());
                    parts.execute(() -> known.remove(made.name(), made));
                });
    }

    private boolean isNoMember(String incarnation) {
        return !incarnation.isEmpty() && parts.membership().node(incarnation).isEmpty();
    }

    private void learnHeld() {
        for (Announcement waits : List.copyOf(held.values())) {
            if (!isNoMember(waits.incarnation()) && held.remove(waits.fullName(), waits)) {
                learn(known.get(waits.fullName()), waits);
            }
        }
    }

    // A member that is silent is perhaps frozen, and so may be this process: it is asked on, and stalls by its name.
    private boolean isLost(RemoteProvider provider) {
        return isNoMember(provider.incarnation())
                || (provider.incarnation().isEmpty() && parts.isLongAgo(provider.heard()));
    }

    private void forget(RemoteProvider gone) {
        if (!known.remove(gone.name(), gone)) {
            return;
        }
        parts.metrics().count("query.remote.gone");
        fanIn.unregister(gone)
                .onSuccess(was -> LOG.info("Query provider '{}' is gone (node {})", gone.name(), parts.node()))
                .onFailure(failure -> LOG.warn(
                        "Query provider '{}' is gone and could not be unregistered on node {}: {}",
                        gone.name(),
                        parts.node(),
                        failure.toString()));
    }

    private void changed(Membership.Change change, NodeInfo node) {
        if (closed) {
            return;
        }
        if (change != Membership.Change.DROPPED) {
            parts.execute(this::learnHeld);
            return;
        }
        parts.execute(() -> {
            rollCall.answered(node.incarnation());
            held.values().removeIf(waits -> waits.incarnation().equals(node.incarnation()));
            List.copyOf(known.values()).stream()
                    .filter(provider -> provider.incarnation().equals(node.incarnation()))
                    .forEach(this::forget);
            served.values().removeIf(call -> isOf(call, node.incarnation()));
        });
    }

    private static boolean isOf(ServedCall call, String incarnation) {
        boolean its = call.clientIncarnation().equals(incarnation);
        if (its) {
            call.close();
        }
        return its;
    }

    private void arm() {
        lastBeat = parts.now();
        timer = parts.pacer().after(parts.beat(), () -> parts.execute(this::beat));
    }

    private void beat() {
        if (closed) {
            return;
        }
        boolean paused = parts.isLongAgo(lastBeat);
        arm();
        announceAll();
        learnHeld();
        if (paused) {
            afterPause();
        }
        List.copyOf(known.values()).stream().filter(this::isLost).forEach(this::forget);
        served.values().removeIf(call -> {
            boolean forgotten = parts.isLongAgo(call.heard());
            if (forgotten) {
                call.close();
            }
            return forgotten;
        });
        calls.beat();
    }

    // It was this process that heard nothing: that says nothing of the others.
    private void afterPause() {
        LOG.info("Node {} made a pause of more than {} beats; it asks who is there", parts.node(), RemoteParts.MISSED);
        known.values().forEach(provider -> provider.heard(parts.now()));
        served.values().forEach(ServedCall::beaten);
        askWho();
    }

    private void asked(Message<JsonObject> message) {
        JsonObject body = message.body();
        switch (body.getString("do", "")) {
            case "open" -> open(message);
            case "cancel" -> {
                ServedCall call = served.remove(body.getString("call", ""));
                if (call != null) {
                    call.close();
                }
            }
            case "beat" -> beaten(message);
            default -> message.reply(Rejected.message(MeshAddress.of("_query/" + parts.node()), "no such verb"));
        }
    }

    private void open(Message<JsonObject> message) {
        JsonObject terms = message.body();
        String name = terms.getString("name", "");
        QueryProvider provider = serving.get(name);
        FailureDetail here = FailureDetail.NONE.on(parts.node());
        if (provider == null) {
            message.reply(new Unavailable(
                    "Query provider '" + name + "' is not on node " + parts.node() + "; nothing was executed",
                    here,
                    false));
            return;
        }
        if (served.size() >= MOST_SERVED) {
            message.reply(new Overloaded(
                    "Query provider '" + name + "' cannot take more (calls=" + served.size() + ", node=" + parts.node()
                            + "); nothing was executed",
                    here.retryAfter(Duration.ofSeconds(1))));
            return;
        }
        String id = terms.getString("call", "");
        ServedCall call;
        try {
            call = new ServedCall(parts, provider, terms, () -> served.remove(id));
        } catch (RuntimeException e) {
            message.reply(new Rejected(
                    "Query '" + terms.getString("query") + "' cannot be read on node " + parts.node() + ": "
                            + e.getMessage(),
                    here,
                    -1));
            return;
        }
        served.put(id, call);
        message.reply(new JsonObject());
        call.open();
    }

    private void beaten(Message<JsonObject> message) {
        JsonObject answer = new JsonObject();
        JsonArray ids = message.body().getJsonArray("calls", new JsonArray());
        for (int i = 0; i < ids.size(); i++) {
            ServedCall call = served.get(ids.getString(i));
            if (call != null) {
                call.beaten();
                answer.put(ids.getString(i), call.sequence());
            }
        }
        message.reply(new JsonObject().put("calls", answer));
    }

    /** Where frames for this process come to. */
    Future<String> clientPlace() {
        return Future.succeededFuture(calls.place());
    }

    /** How many calls of others are served, and how many to others are open; for tests that count. */
    Future<List<Integer>> sizes() {
        Promise<List<Integer>> sizes = Promise.promise();
        parts.execute(() -> sizes.complete(List.of(served.size(), calls.size(), known.size())));
        return sizes.future();
    }
}
