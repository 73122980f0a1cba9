package io.meshhub.cluster;

import io.meshhub.cluster.lease.Beat;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/** How one node's control asks another's; every future fails when the other one does not answer in time. */
interface PeerBeats {

    /** Asks whether the peer lists this node. */
    Future<Beat.Answer> beat(NodeInfo peer, Beat beat);

    /** Asks which rows the peer remembers of shards whose rows the cluster does not hold. */
    Future<Remembered> remembered(NodeInfo peer, Set<Integer> shards);

    /**
     * What a node remembers of some shards.
     *
     * @param lossOpen whether it knows of a lost node whose lease may not have ended
     * @param rows the rows that it knows an owner of
     */
    record Remembered(boolean lossOpen, List<ShardRow> rows) {

        public Remembered {
            rows = List.copyOf(rows);
        }
    }

    /** What a node answers its peers; called on its control. */
    interface Answers {

        /** Says whether this node lists the one that asks. */
        Beat.Answer on(Beat beat);

        /** Says what it remembers of the shards. */
        Remembered remembered(Set<Integer> shards);
    }
}
