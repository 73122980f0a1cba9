package io.meshhub.routing.router;

/**
 * How much a router holds at most, in messages and in bytes of bodies. Whoever comes past a bound is refused as {@link
 * io.meshhub.routing.failure.Overloaded}, and nothing was executed; a notification is dropped and counted.
 *
 * <p>Bytes of a body that was not encoded yet are estimated: those of a buffer or a string by its length, those of JSON
 * by its number of entries.
 *
 * @param perNode the most messages that wait for an answer of one other node, and, counted apart, the most notifications
 *     that wait to be written to it
 * @param bytesPerNode the most bytes of bodies among each of the two
 * @param held the most messages of this node that wait for the owner or the row of their shard, over all shards
 * @param heldBytes the most bytes of bodies among them
 * @param perLoop the most messages of this node that wait for their turn on one hub loop
 * @param bytesPerLoop the most bytes of bodies among them
 */
public record InFlightBounds(int perNode, long bytesPerNode, int held, long heldBytes, int perLoop, long bytesPerLoop) {

    /** In flight to one node: 65,536. */
    public static final int DEFAULT_PER_NODE = 65_536;

    /** Bytes in flight to one node: 64 MiB. */
    public static final long DEFAULT_BYTES_PER_NODE = 64L * 1024 * 1024;

    /** For the owner or the row of a shard: 65,536. */
    public static final int DEFAULT_HELD = 65_536;

    /** Bytes for the owner or the row of a shard: 64 MiB. */
    public static final long DEFAULT_HELD_BYTES = 64L * 1024 * 1024;

    /** For one hub loop: 65,536. */
    public static final int DEFAULT_PER_LOOP = 65_536;

    /** Bytes for one hub loop: 64 MiB. */
    public static final long DEFAULT_BYTES_PER_LOOP = 64L * 1024 * 1024;

    public InFlightBounds {
        require("perNode", perNode, Places.MAX_COUNT);
        require("bytesPerNode", bytesPerNode, Places.MAX_BYTES);
        require("held", held, Places.MAX_COUNT);
        require("heldBytes", heldBytes, Places.MAX_BYTES);
        require("perLoop", perLoop, Places.MAX_COUNT);
        require("bytesPerLoop", bytesPerLoop, Places.MAX_BYTES);
    }

    private static void require(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " = " + value + " must be in 1.." + most);
        }
    }

    /** The bounds where nothing is set. */
    public static InFlightBounds ofDefaults() {
        return new InFlightBounds(
                DEFAULT_PER_NODE,
                DEFAULT_BYTES_PER_NODE,
                DEFAULT_HELD,
                DEFAULT_HELD_BYTES,
                DEFAULT_PER_LOOP,
                DEFAULT_BYTES_PER_LOOP);
    }

    /** The least of the byte bounds: a larger body could never pass. */
    long leastBytes() {
        return Math.min(bytesPerNode, Math.min(heldBytes, bytesPerLoop));
    }
}
