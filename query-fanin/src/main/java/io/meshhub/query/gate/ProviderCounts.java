package io.meshhub.query.gate;

/**
 * What became of the providers of a query: each is counted exactly once.
 *
 * @param providers how many there are
 * @param answered those that gave a first result
 * @param empty those that completed without one
 * @param failed those that failed, and those that were given up because another one did
 * @param stalled those that said nothing within the rung
 */
public record ProviderCounts(int providers, int answered, int empty, int failed, int stalled) {

    public ProviderCounts {
        if (answered < 0 || empty < 0 || failed < 0 || stalled < 0) {
            throw new IllegalArgumentException("answered = " + answered + ", empty = " + empty + ", failed = " + failed
                    + ", stalled = " + stalled + " must be >= 0");
        }
        if (answered + empty + failed + stalled != providers) {
            throw new IllegalArgumentException("answered = " + answered + ", empty = " + empty + ", failed = " + failed
                    + " and stalled = " + stalled + " must make " + providers + " providers");
        }
    }

    /** Of a result that is whole. */
    public static ProviderCounts ofComplete(int answered, int empty) {
        return new ProviderCounts(answered + empty, answered, empty, 0, 0);
    }
}
