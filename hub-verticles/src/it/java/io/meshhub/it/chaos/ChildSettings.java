package io.meshhub.it.chaos;

import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What a process of the harness is told at its start, as JSON in its one argument.
 *
 * @param name its name in the cluster
 * @param start how many processes of this run were started before it; makes its ops and files its own
 * @param cluster the cluster's name
 * @param host where it binds
 * @param hazelcastPort where its member listens
 * @param seeds the members that it asks
 * @param lite whether it only calls
 * @param directory of the run: the store and the records lie there
 * @param seed of its random choices
 * @param addresses how many addresses there are
 * @param workers how many requests it keeps under way while it is told to load
 * @param deadlinesMs the deadlines of its requests, one of them by chance
 * @param recyclesPerMille how many of 1,000 requests end the activation
 * @param holders how many more it keeps under way whose answers are held for a while
 * @param quorum {@code cluster.quorum}
 * @param voters the names of the nodes that vote
 * @param mode {@code safe} or {@code fast}
 * @param leaseSeconds {@code cluster.lease}
 * @param heartbeatLimitSeconds the silence after which a member is removed
 * @param plant the fault that is built in on purpose; empty for none
 */
public record ChildSettings(
        String name,
        int start,
        String cluster,
        String host,
        int hazelcastPort,
        List<String> seeds,
        boolean lite,
        String directory,
        long seed,
        int addresses,
        int workers,
        List<Integer> deadlinesMs,
        int recyclesPerMille,
        int holders,
        int quorum,
        List<String> voters,
        String mode,
        int leaseSeconds,
        int heartbeatLimitSeconds,
        String plant) {

    /** Reads what {@link #toJson} made. */
    public static ChildSettings parse(String json) {
        return new JsonObject(json).mapTo(ChildSettings.class);
    }

    /** As the argument of the process. */
    String toJson() {
        return JsonObject.mapFrom(this).encode();
    }

    /** The name with the number of the start: one life of the process. */
    public String process() {
        return name + "." + start;
    }
}
