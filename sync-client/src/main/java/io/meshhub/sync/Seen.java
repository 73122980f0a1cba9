package io.meshhub.sync;

import org.jspecify.annotations.Nullable;

/**
 * What the local streams of one upstream see; immutable.
 *
 * @param known whether a whole document has come
 * @param value the value as a tree; null when there is none
 * @param present whether there is a value
 * @param version the version of the owner's state
 * @param state how the stream stands
 */
record Seen(boolean known, @Nullable Object value, boolean present, long version, SyncState state) {

    static final Seen NOTHING = new Seen(false, null, false, 0, new SyncState.Connecting());

    Seen in(SyncState newState) {
        return new Seen(known, value, present, version, newState);
    }
}
