package io.meshhub.hub.access.existence;

import java.time.Duration;
import java.util.List;

/** What is known of whether something exists. */
public sealed interface Existence {

    /** Every provider has answered. */
    record Known(boolean exists) implements Existence {}

    /**
     * Nobody knows yet, and it counts as absent until somebody does.
     *
     * @param bound how long it was waited for
     */
    record Assumed(Duration bound) implements Existence {}

    /**
     * It could not be found out, and nothing more comes; never that it is absent.
     *
     * @param providers those to blame, as far as somebody is; for operators only
     * @param reason what happened; for operators only
     */
    record Fault(List<String> providers, String reason) implements Existence {
        public Fault {
            providers = List.copyOf(providers);
        }
    }
}
