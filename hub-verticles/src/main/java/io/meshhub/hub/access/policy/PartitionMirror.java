package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.query.QueryFrame;

/** The rules of one partition as its live query tells them. Not safe for several threads. */
final class PartitionMirror {

    private final String partition;
    private final NodeMirror nodes = new NodeMirror();

    /** Nothing told yet. */
    PartitionMirror(String partition) {
        this.partition = partition;
    }

    /** Takes in a frame. */
    PartitionState on(QueryFrame frame) {
        NodeMirror.Seen seen = nodes.on(frame);
        if (seen instanceof NodeMirror.Seen.Broken broken) {
            return new PartitionState.Unestablished(new Undetermined(
                    broken.providers(),
                    "the access model of partition '" + partition + "' could not be established: " + broken.why()));
        }
        return new PartitionState.Established(PartitionRows.of(((NodeMirror.Seen.Whole) seen).nodes()));
    }
}
