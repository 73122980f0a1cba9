package io.meshhub.hub.access.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a rule does. */
enum Effect {
    ALLOW,
    DENY;

    /** As it is written in a node. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Effect> of(String word) {
        return Arrays.stream(values())
                .filter(effect -> effect.word().equals(word))
                .findFirst();
    }
}
