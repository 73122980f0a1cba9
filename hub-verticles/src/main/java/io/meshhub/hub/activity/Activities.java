package io.meshhub.hub.activity;

import io.meshhub.hub.HubType;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeStore;
import java.time.Duration;
import java.util.Set;

/** Makes the hub type of activities, and names what they are told. */
public final class Activities {

    /** The satellite of a partition in which its activities lie: {@value}. */
    public static final String SATELLITE = "_Activity";

    /** What every message type of an activity begins with: {@value}. */
    public static final String TYPES = "activity.";

    /** Somebody wants to do it: {@code {worker, total?, joined?}}; answers with the activity and {@code answer}. */
    public static final String BEGIN = TYPES + "begin";

    /** Who does it says how far he is: {@code {worker, done, created, updated, unchanged, failed}}. */
    public static final String PROGRESS = TYPES + "progress";

    /** Who does it is at its end: as {@link #PROGRESS}, and {@code outcome}: SUCCEEDED, FAILED or CANCELLED. */
    public static final String END = TYPES + "end";

    /** Asks for its end; takes no body. */
    public static final String CANCEL = TYPES + "cancel";

    /** How long nobody takes over from a worker who says nothing: 10 s. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    private Activities() {}

    /** Where the import of a file with this fingerprint is, in the partition. */
    public static MeshAddress importAddress(String partition, String fingerprint) {
        return MeshAddress.of(partition + "/" + SATELLITE + "/import-" + fingerprint);
    }

    /** The type of the activities of all partitions; their nodes lie in the store. */
    public static HubType type(NodeStore store) {
        return HubType.catalogued("*/" + SATELLITE, () -> new ActivityHub(store, LEASE), Set.of(BEGIN));
    }
}
