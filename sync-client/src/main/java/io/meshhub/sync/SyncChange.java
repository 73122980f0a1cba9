package io.meshhub.sync;

import java.util.Optional;

/**
 * One change of a stream.
 *
 * @param value the value now; empty when the view names nothing
 * @param version the version of the owner's state
 */
public record SyncChange<T>(Optional<T> value, long version) {}
