package io.meshhub.routing.failure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A query provider gave no first result within its rung. Deliberately no time-out type, and never retried: a longer
 * wait does not mend a provider that says nothing.
 */
public final class QueryProviderStalled extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5041;

    private final List<String> providers;
    private final Duration rung;

    /**
     * Says so, with what is known.
     *
     * @param providers the names of all that did not answer
     * @param rung the budget that they had
     */
    public QueryProviderStalled(String message, FailureDetail detail, Collection<String> providers, Duration rung) {
        super(CODE, message, detail);
        this.providers = List.copyOf(providers);
        this.rung = rung;
    }

    /** The names of all providers that did not answer. */
    public List<String> providers() {
        return providers;
    }

    /** The budget that they had. */
    public Duration rung() {
        return rung;
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.REPORT;
    }

    @Override
    public QueryProviderStalled withDetail(FailureDetail newDetail) {
        return new QueryProviderStalled(getMessage(), newDetail, providers, rung);
    }
}
