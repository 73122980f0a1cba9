package io.meshhub.hub;

import io.meshhub.routing.MeshAddress;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One kind of hub: which addresses it lives at, and how an instance is made.
 *
 * @param prefix the leading segments of its addresses, such as {@code orders} for {@code orders}, {@code orders/42} and
 *     all below; empty matches every address
 * @param factory makes an instance for each activation, on the hub's loop; it must not block
 * @param catalogued whether the {@link io.meshhub.routing.spi.AddressCatalog} decides which addresses exist; if not,
 *     every address that matches exists
 * @param creating the message types that wake an address which the catalogue does not hold; they make it
 */
public record HubType(
        String prefix, Supplier<? extends HubVerticle> factory, boolean catalogued, Set<String> creating) {

    /** What the prefix of a satellite of every partition begins with. */
    static final String SATELLITE = "*/_";

    public HubType {
        if (prefix.startsWith(SATELLITE)) {
            prefix = SATELLITE
                    + MeshAddress.of(prefix.substring(SATELLITE.length() - 1))
                            .toString()
                            .substring(1);
        } else if (!prefix.isEmpty()) {
            prefix = MeshAddress.of(prefix).toString();
        }
        creating = Set.copyOf(creating);
        if (!catalogued && !creating.isEmpty()) {
            throw new IllegalArgumentException("hub type '" + prefix + "' names creating message types " + creating
                    + " and is not catalogued; each of its addresses exists anyway");
        }
    }

    /** A type whose addresses all exist. */
    public static HubType of(String prefix, Supplier<? extends HubVerticle> factory) {
        return new HubType(prefix, factory, false, Set.of());
    }

    /** A type whose addresses exist when the catalogue says so, or when a message of a creating type makes them. */
    public static HubType catalogued(String prefix, Supplier<? extends HubVerticle> factory, Set<String> creating) {
        return new HubType(prefix, factory, true, creating);
    }

    /** Whether a message of that type needs a row of the catalogue to wake an address. */
    boolean needsRow(String messageType) {
        return catalogued && !creating.contains(messageType);
    }
}
