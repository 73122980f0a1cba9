package io.meshhub.hub.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A call of a fan-in that a test plays: it remembers what a provider tells, in order. */
final class RecordingCall implements ProviderCall {

    final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Query query;
    private final int wanted;
    volatile List<QueryNode> first = List.of();
    volatile QueryNode last;
    volatile Throwable failure;
    volatile boolean over;
    volatile String startedOn = "";

    RecordingCall(String query, int wanted) {
        this.query = Query.parse(query);
        this.wanted = wanted;
    }

    RecordingCall(String query) {
        this(query, 10_000);
    }

    String next() throws InterruptedException {
        String next = told.poll(10, TimeUnit.SECONDS);
        assertThat(next).as("what is told next").isNotNull();
        return next;
    }

    List<String> firstPaths() {
        return first.stream().map(node -> node.path().toString()).toList();
    }

    @Override
    public Query query() {
        return query;
    }

    @Override
    public Optional<String> principal() {
        return Optional.empty();
    }

    @Override
    public int wanted() {
        return wanted;
    }

    @Override
    public Duration remaining() {
        return Duration.ofSeconds(15);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void started() {
        startedOn = Thread.currentThread().getName();
        told.add("started");
    }

    @Override
    public void first(List<QueryNode> nodes, boolean cut) {
        first = nodes;
        told.add("first " + nodes.size() + (cut ? " cut" : ""));
    }

    @Override
    public void added(QueryNode node) {
        last = node;
        told.add("added " + node.path());
    }

    @Override
    public void updated(QueryNode node) {
        last = node;
        told.add("updated " + node.path());
    }

    @Override
    public void removed(MeshAddress path) {
        told.add("removed " + path);
    }

    @Override
    public void reset() {
        over = true;
        told.add("reset");
    }

    @Override
    public void complete() {
        over = true;
        told.add("complete");
    }

    @Override
    public void fail(Throwable cause) {
        over = true;
        failure = cause;
        told.add("fail");
    }
}
