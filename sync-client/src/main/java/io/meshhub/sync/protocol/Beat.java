package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one client process says to one node once in an interval: which streams it follows there, and how far it is.
 *
 * @param entries one for each stream
 */
public record Beat(List<Entry> entries) {

    /** How a stream stands at the node. */
    public enum Status {
        /** The owner holds it. */
        ALIVE,
        /** No owner here holds it; it may be asked for again. */
        UNKNOWN_HERE,
        /** The catalogue says that there is no such node. */
        NOT_FOUND,
        /** Its owner, or the catalogue, did not say in time. */
        SILENT
    }

    /** One stream: its owner, its id, the owner that it follows and the last sequence that it has. */
    public record Entry(MeshAddress address, String stream, ActivationId activation, long sequence) {}

    public Beat {
        entries = List.copyOf(entries);
    }

    /** As it travels. */
    public JsonObject toJson() {
        JsonArray all = new JsonArray();
        for (Entry entry : entries) {
            all.add(new JsonArray()
                    .add(entry.address().toString())
                    .add(entry.stream())
                    .add(entry.activation().value())
                    .add(entry.sequence()));
        }
        return new JsonObject().put("beat", all);
    }

    /** Reads what travelled. */
    public static Beat read(JsonObject json) {
        JsonArray all = json.getJsonArray("beat");
        List<Entry> entries = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            JsonArray entry = all.getJsonArray(i);
            entries.add(new Entry(
                    MeshAddress.of(entry.getString(0)),
                    entry.getString(1),
                    new ActivationId(entry.getLong(2)),
                    entry.getLong(3)));
        }
        return new Beat(entries);
    }

    /** The answer as it travels: a healthy stream is not named. */
    public static JsonObject answer(Map<String, Status> statuses) {
        JsonObject answer = new JsonObject();
        statuses.forEach((stream, status) -> {
            if (status != Status.ALIVE) {
                answer.put(stream, status.name());
            }
        });
        return answer;
    }

    /** The streams of an answer that are not alive. */
    public static Map<String, Status> readAnswer(JsonObject answer) {
        Map<String, Status> statuses = new TreeMap<>();
        answer.forEach(entry -> statuses.put(entry.getKey(), Status.valueOf(String.valueOf(entry.getValue()))));
        return statuses;
    }
}
