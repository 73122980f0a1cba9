package io.meshhub.cluster.lease;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one node knows of the nodes that it has dropped: which voters have given them up too, and when their shards may be
 * claimed; immutable, without a clock.
 *
 * <p>A quorum needs one of any {@link Quorum#reportsOfLoss} voters. Once so many have promised never again to acknowledge
 * a node, its last lease was counted from an earlier time, and has ended after {@link Quorum#certainEnd}.
 *
 * @param losses what is known of each, by incarnation
 */
public record LossWatch(Map<String, Loss> losses) {

    public static final LossWatch EMPTY = new LossWatch(Map.of());

    /**
     * A node that was dropped.
     *
     * @param reports the voters that have given it up
     * @param endsAt when its last lease has certainly ended; empty while that is not known
     */
    public record Loss(Set<String> reports, Optional<Long> endsAt) {}

    /** A node was dropped here. */
    public LossWatch lost(String incarnation) {
        return losses.containsKey(incarnation) ? this : with(incarnation, new Loss(Set.of(), Optional.empty()));
    }

    /** It was a former incarnation of this process, which has ended everything that lived under it. */
    public LossWatch ended(String incarnation, long now) {
        Loss known = losses.getOrDefault(incarnation, new Loss(Set.of(), Optional.empty()));
        return with(incarnation, new Loss(known.reports(), Optional.of(now)));
    }

    /** A voter has given it up. */
    public LossWatch reported(String incarnation, String voter, long now, Quorum quorum) {
        Loss loss = losses.get(incarnation);
        if (loss == null || !quorum.isVoter(voter) || loss.reports().contains(voter)) {
            return this;
        }
        Set<String> reports = new LinkedHashSet<>(loss.reports());
        reports.add(voter);
        Optional<Long> endsAt = loss.endsAt();
        if (endsAt.isEmpty() && reports.size() >= quorum.reportsOfLoss()) {
            endsAt = Optional.of(now + quorum.certainEnd().toNanos());
        }
        return with(incarnation, new Loss(reports, endsAt));
    }

    /** Whether it is known when its last lease has certainly ended. */
    public boolean isCertain(String incarnation) {
        Loss loss = losses.get(incarnation);
        return loss != null && loss.endsAt().isPresent();
    }

    /** Whether what it owned may be claimed. */
    public boolean hasEnded(String incarnation, long now, Quorum quorum) {
        if (!quorum.isSafe()) {
            return true;
        }
        Loss loss = losses.get(incarnation);
        return loss != null && loss.endsAt().filter(end -> now - end >= 0).isPresent();
    }

    /** Whether there is one of which that is not certain; then what nobody is known to own may be its. */
    public boolean isOpen(long now, Quorum quorum) {
        return losses.keySet().stream().anyMatch(lost -> !hasEnded(lost, now, quorum));
    }

    /** Those of which more voters must be heard. */
    public Set<String> unreported(Quorum quorum) {
        Set<String> open = new LinkedHashSet<>();
        if (quorum.isSafe()) {
            losses.forEach((lost, loss) -> {
                if (loss.endsAt().isEmpty()) {
                    open.add(lost);
                }
            });
        }
        return open;
    }

    /** Forgets those that have ended and own nothing any more. */
    public LossWatch forget(Collection<String> owners, long now, Quorum quorum) {
        Map<String, Loss> kept = new LinkedHashMap<>(losses);
        kept.keySet().removeIf(lost -> hasEnded(lost, now, quorum) && !owners.contains(lost));
        return kept.size() == losses.size() ? this : new LossWatch(kept);
    }

    private LossWatch with(String incarnation, Loss loss) {
        Map<String, Loss> next = new LinkedHashMap<>(losses);
        next.put(incarnation, loss);
        return new LossWatch(next);
    }
}
