package io.meshhub.routing;

/** What the sender of a message waits for. */
public enum Verb {
    /** One answer: a reply or a failure. */
    REQUEST(0),
    /** Word that the activation has accepted the message. */
    SEND(1),
    /** Nothing: the message is ignorable, and dropped without an answer where it cannot be delivered. */
    NOTIFY(2);

    // Each call of values() makes a copy.
    private static final Verb[] ALL = values();

    private final int wire;

    Verb(int wire) {
        this.wire = wire;
    }

    /** The number that stands for this verb on the wire. */
    int wire() {
        return wire;
    }

    static Verb ofWire(int number) {
        for (Verb verb : ALL) {
            if (verb.wire == number) {
                return verb;
            }
        }
        throw new IllegalArgumentException("envelope with a verb that this node does not know: " + number);
    }
}
