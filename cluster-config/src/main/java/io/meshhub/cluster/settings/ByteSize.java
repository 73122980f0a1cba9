package io.meshhub.cluster.settings;

/**
 * A number of bytes, written with its unit: {@code 512B}, {@code 64KiB}, {@code 4MiB}, {@code 1GiB}.
 *
 * @param bytes 0 or more
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("size = " + bytes + " bytes must be 0 or more");
        }
    }

    /** The size as an int, for APIs that take one; the greatest int where it is more. */
    public int intBytes() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** The size with the largest unit that keeps it whole. */
    @Override
    public String toString() {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        long rest = bytes;
        int unit = 0;
        while (unit < units.length - 1 && rest != 0 && rest % 1024 == 0) {
            rest /= 1024;
            unit++;
        }
        return rest + units[unit];
    }
}
