package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import java.util.List;

/**
 * What travels between two nodes in one event-bus message: the entries that were waiting for one inbound address. A
 * frame carries entries and nothing of their fate: each of them succeeds or fails by itself.
 *
 * @param sender the node that sends it, so that it can be answered before this node has seen it join
 * @param entries in the order in which they were queued
 */
record Frame(Sender sender, List<Entry> entries) {

    /** Who sends: its incarnation, its name and how many hub loops it has. */
    record Sender(String incarnation, String name, int loops) {}

    /** One thing that a node tells another. */
    sealed interface Entry {

        /** About how many bytes it takes on the wire. */
        default int size() {
            return 64;
        }
    }

    /**
     * A message that asks for an outcome.
     *
     * @param id chosen by the sender, comes back with the outcome
     * @param replyLoop the sender's hub loop at whose inbound address the outcome is expected
     */
    record Ask(long id, int replyLoop, Envelope envelope) implements Entry {
        @Override
        public int size() {
            return 128 + envelope.body().encode().length;
        }
    }

    /** A message that expects no outcome. */
    record Tell(Envelope envelope) implements Entry {
        @Override
        public int size() {
            return 128 + envelope.body().encode().length;
        }
    }

    /** The outcome of an {@link Ask}. */
    record Answer(long id, Outcome outcome) implements Entry {
        @Override
        public int size() {
            return outcome instanceof Outcome.Replied replied
                    ? 64 + replied.body().encode().length
                    : 128;
        }
    }

    /** An activation that had refused messages of the receiver is dead; its address can wake again. */
    record Released(MeshAddress address, ActivationId activation) implements Entry {}

    /** The sender is about to leave: whoever gets this sends it no more messages, and says so behind the last one. */
    record Leaving() implements Entry {}

    /** The answer to {@link Leaving}: behind it comes no further message to the loop at which this arrives. */
    record Parted() implements Entry {}

    /** The sender leaves; it has given its last answer to the loop at which this arrives. */
    record Left() implements Entry {}

    /** An entry that could not be read; made by the codec on arrival, never sent. */
    record Unreadable(long id, int replyLoop, String reason) implements Entry {}
}
