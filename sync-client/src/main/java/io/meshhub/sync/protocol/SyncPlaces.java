package io.meshhub.sync.protocol;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;

/** The event-bus addresses at which processes hear of their streams, and how what they hear is addressed. */
public final class SyncPlaces {

    private static final String ADDRESS = "address";

    private SyncPlaces() {}

    /**
     * Where a client hears frames and goodbyes.
     *
     * @param process names its process
     * @param client tells clients of one process apart
     */
    public static String ofClient(String process, String client) {
        return "__mesh.sync." + process + "." + client;
    }

    /** Where the owners of a process hear beats, and that streams are no longer wanted. */
    public static String ofOwners(String process) {
        return "__mesh.sync.owners." + process;
    }

    /** What an owner says, with its address. */
    public static JsonObject letter(MeshAddress owner, ToClient message) {
        return message.toJson().put(ADDRESS, owner.toString());
    }

    /** The owner that says so. */
    public static MeshAddress sender(JsonObject letter) {
        return MeshAddress.of(letter.getString(ADDRESS));
    }
}
