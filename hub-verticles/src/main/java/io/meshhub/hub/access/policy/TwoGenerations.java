package io.meshhub.hub.access.policy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache for several threads: what is not asked for while as many others come as one generation holds is
 * forgotten. A look-up makes nothing and waits for nobody.
 */
final class TwoGenerations<K, V> {

    private final int mostOfOne;
    private volatile Map<K, V> young = new ConcurrentHashMap<>();
    private volatile Map<K, V> old = Map.of();

    /** Holds twice as many at most; a few more while several threads put at once. */
    TwoGenerations(int mostOfOne) {
        this.mostOfOne = mostOfOne;
    }

    @Nullable
    V get(K key) {
        V value = young.get(key);
        if (value != null) {
            return value;
        }
        V older = old.get(key);
        if (older != null) {
            put(key, older);
        }
        return older;
    }

    void put(K key, V value) {
        if (young.size() >= mostOfOne) {
            rollOver();
        }
        young.put(key, value);
    }

    private synchronized void rollOver() {
        if (young.size() >= mostOfOne) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }

    int size() {
        return young.size() + old.size();
    }
}
