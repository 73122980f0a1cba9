package io.meshhub.hub.store;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How the embedded store works.
 *
 * @param directory where its files lie; made with access for its owner only when it is missing
 * @param groupSize the most writes of one transaction, from 1 to {@link #MAX_GROUP_SIZE}
 * @param queueBound the most writes that wait, and apart from them the most reads; at least the group size, at most
 *     {@link #MAX_QUEUE_BOUND}. Past it calls fail with {@link io.meshhub.routing.failure.Overloaded}
 * @param readers the threads that read, each with a connection of its own, from 1 to {@link #MAX_READERS}
 * @param busyTimeout how long a transaction waits for one of another process, from 1 ms to {@link #MAX_BUSY_TIMEOUT};
 *     below the request rung, so that the caller learns the reason
 */
public record StoreOptions(Path directory, int groupSize, int queueBound, int readers, Duration busyTimeout) {

    /** The most writes of one transaction: {@value}. */
    public static final int DEFAULT_GROUP_SIZE = 256;

    /** The most writes, and the most reads, that wait: {@value}. */
    public static final int DEFAULT_QUEUE_BOUND = 4096;

    /** The threads that read: {@value}. */
    public static final int DEFAULT_READERS = 2;

    /** How long a transaction waits for one of another process: 5 s. */
    public static final Duration DEFAULT_BUSY_TIMEOUT = Duration.ofSeconds(5);

    /** The highest {@code groupSize}: {@value}. */
    public static final int MAX_GROUP_SIZE = 10_000;

    /** The highest {@code queueBound}: {@value}. */
    public static final int MAX_QUEUE_BOUND = 1_000_000;

    /** The highest {@code readers}: {@value}. */
    public static final int MAX_READERS = 64;

    /** The highest {@code busyTimeout}: 60 s. */
    public static final Duration MAX_BUSY_TIMEOUT = Duration.ofSeconds(60);

    public StoreOptions {
        // The driver reads what follows a question mark as settings.
        if (directory.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("directory = '" + directory + "' must not hold a question mark");
        }
        checkRange("groupSize", groupSize, 1, MAX_GROUP_SIZE);
        checkRange("queueBound", queueBound, groupSize, MAX_QUEUE_BOUND);
        checkRange("readers", readers, 1, MAX_READERS);
        if (busyTimeout.compareTo(Duration.ofMillis(1)) < 0 || busyTimeout.compareTo(MAX_BUSY_TIMEOUT) > 0) {
            throw new IllegalArgumentException("busyTimeout = " + busyTimeout + " must be between "
                    + Duration.ofMillis(1) + " and " + MAX_BUSY_TIMEOUT);
        }
    }

    /** The defaults, in that directory. */
    public static StoreOptions in(Path directory) {
        return new StoreOptions(
                directory, DEFAULT_GROUP_SIZE, DEFAULT_QUEUE_BOUND, DEFAULT_READERS, DEFAULT_BUSY_TIMEOUT);
    }

    private static void checkRange(String name, int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(name + " = " + value + " must be between " + lowest + " and " + highest);
        }
    }
}
