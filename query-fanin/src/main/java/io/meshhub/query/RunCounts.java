package io.meshhub.query;

import io.meshhub.query.gate.ProviderCounts;
import java.util.Collection;
import java.util.function.Predicate;

/** What became of the providers of a run that is live. */
final class RunCounts {

    private RunCounts() {}

    /**
     * Counts each once. One that is opened again stands with what it told; one that was never heard is given up.
     *
     * @param failed how many failed at least
     * @param stalled how many of those because they said nothing
     */
    static ProviderCounts ofLive(
            Collection<String> providers,
            Predicate<String> answered,
            Predicate<String> underWay,
            int failed,
            int stalled) {
        int whole = 0;
        int unheard = 0;
        for (String name : providers) {
            if (answered.test(name)) {
                whole++;
            } else if (underWay.test(name)) {
                unheard++;
            }
        }
        int bad = Math.max(failed, unheard);
        int all = Math.max(providers.size(), bad);
        whole = Math.min(whole, all - bad);
        int silent = Math.min(stalled, bad);
        return new ProviderCounts(all, whole, all - bad - whole, bad - silent, silent);
    }
}
