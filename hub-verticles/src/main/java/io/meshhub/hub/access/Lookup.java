package io.meshhub.hub.access;

import java.util.List;

/** What the directory says of somebody. */
public sealed interface Lookup {

    /**
     * He is known.
     *
     * @param principal his name as a principal
     */
    record Found(String principal) implements Lookup {}

    /** All identities are known, and he is none of them. */
    record Unknown() implements Lookup {}

    /**
     * It could not be found out; never "there is none".
     *
     * @param providers the query providers that did not answer; for operators only; may be empty
     * @param reason what happened; for operators only
     */
    record Unavailable(List<String> providers, String reason) implements Lookup {
        public Unavailable {
            providers = List.copyOf(providers);
        }
    }
}
