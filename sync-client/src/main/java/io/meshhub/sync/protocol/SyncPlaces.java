package io.meshhub.sync.protocol;

/** The event-bus addresses at which processes hear of their streams. */
public final class SyncPlaces {

    private SyncPlaces() {}

    /**
     * Where a client hears frames and goodbyes.
     *
     * @param process the incarnation of its process
     * @param client tells clients of one process apart
     */
    public static String ofClient(String process, String client) {
        return "__mesh.sync." + process + "." + client;
    }

    /** Where the owners of a process hear beats, and that streams are no longer wanted. */
    public static String ofOwners(String process) {
        return "__mesh.sync.owners." + process;
    }
}
