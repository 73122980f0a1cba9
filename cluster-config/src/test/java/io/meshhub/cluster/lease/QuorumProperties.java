package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.cluster.lease.Quorum.AfterLoss;
import io.meshhub.routing.spi.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Who must hear a node: what is no quorum cannot be made, and of those that can be made the sums come out. */
final class QuorumProperties {

    private static List<String> voters(int count) {
        return IntStream.range(0, count).mapToObj(i -> "v" + i).toList();
    }

    private static Quorum quorum(int size, int maxNodes, int voters) {
        return new Quorum(size, maxNodes, voters(voters), AfterLoss.SAFE, Quorum.DEFAULT_LEASE);
    }

    @Property
    void justThoseThatExceedHalfAndNameEnoughVotersCanBeMade(
            @ForAll @IntRange(min = -1, max = 8) int size,
            @ForAll @IntRange(min = 0, max = 9) int maxNodes,
            @ForAll @IntRange(min = 0, max = 10) int voters,
            @ForAll AfterLoss afterLoss,
            @ForAll @IntRange(min = 2_998, max = 3_002) int leaseMillis) {
        boolean good = leaseMillis >= 3_000
                && (size == 1
                        ? voters == 0 && afterLoss == AfterLoss.FAST
                        : size > 1 && 2 * size > maxNodes && voters >= size && voters <= maxNodes);
        Duration lease = Duration.ofMillis(leaseMillis);

        if (good) {
            Quorum made = new Quorum(size, maxNodes, voters(voters), afterLoss, lease);
            assertThat(made.isLeased()).isEqualTo(size > 1);
            assertThat(made.isSafe()).isEqualTo(afterLoss == AfterLoss.SAFE);
            assertThat(made.certainEnd()).isEqualTo(lease.plusSeconds(2));
        } else {
            assertThatThrownBy(() -> new Quorum(size, maxNodes, voters(voters), afterLoss, lease))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A quorum of so many of so many voters. */
    @Provide
    Arbitrary<Quorum> quorums() {
        return Arbitraries.integers()
                .between(2, 9)
                .flatMap(maxNodes -> Arbitraries.integers()
                        .between(maxNodes / 2 + 1, maxNodes)
                        .filter(size -> size >= 2)
                        .flatMap(size -> Arbitraries.integers()
                                .between(size, maxNodes)
                                .map(voters -> quorum(size, maxNodes, voters))));
    }

    private static Set<String> drawn(Quorum quorum, int count, Random random) {
        List<String> all = new ArrayList<>(quorum.voters());
        Collections.shuffle(all, random);
        return new HashSet<>(all.subList(0, count));
    }

    @Property
    void anyTwoQuorumsHaveAVoterInCommon(@ForAll("quorums") Quorum quorum, @ForAll Random random) {
        Set<String> one = drawn(quorum, quorum.size(), random);
        one.retainAll(drawn(quorum, quorum.size(), random));

        assertThat(one).isNotEmpty();
    }

    /** So many reports are enough; and no fewer would be, where all voters that there may be are there. */
    @Property
    void onceSoManyHaveGivenANodeUpTheOthersAreNoQuorum(@ForAll("quorums") Quorum quorum) {
        int reports = quorum.reportsOfLoss();

        assertThat(quorum.maxNodes() - reports).isLessThan(quorum.size());
        assertThat(quorum.maxNodes() - (reports - 1)).isGreaterThanOrEqualTo(quorum.size());
        assertThat(reports).isLessThanOrEqualTo(quorum.size());
    }

    @Property
    void whoIsListedVotesAndNobodyElse(@ForAll("quorums") Quorum quorum) {
        assertThat(quorum.voters()).allMatch(quorum::isVoter);
        assertThat(quorum.isVoter("v" + quorum.voters().size())).isFalse();
        assertThat(quorum.isVoter("V0")).isFalse();
    }

    /** Nodes compare what they were told by this one line: the order of the names says nothing, all else does. */
    @Property
    void termsAreAlikeForThoseThatAgreeAndForNobodyElse(
            @ForAll("quorums") Quorum one, @ForAll("quorums") Quorum other, @ForAll Random random) {
        List<String> shuffled = new ArrayList<>(one.voters());
        Collections.shuffle(shuffled, random);
        Quorum same = new Quorum(one.size(), one.maxNodes(), shuffled, one.afterLoss(), one.lease());

        assertThat(same.terms()).isEqualTo(one.terms());
        assertThat(one.terms().equals(other.terms())).isEqualTo(one.equals(other));
        assertThat(new Quorum(one.size(), one.maxNodes(), one.voters(), AfterLoss.FAST, one.lease()).terms())
                .isNotEqualTo(one.terms());
        assertThat(new Quorum(
                                one.size(),
                                one.maxNodes(),
                                one.voters(),
                                one.afterLoss(),
                                one.lease().plusMillis(1))
                        .terms())
                .isNotEqualTo(one.terms());
    }

    @Example
    void oneNameCountsOnce() {
        assertThatThrownBy(() -> new Quorum(2, 3, List.of("a", "b", "a"), AfterLoss.SAFE, Quorum.DEFAULT_LEASE))
                .hasMessageContaining("must name each node once");
    }

    @Example
    void withoutAQuorumOneReportIsEnough() {
        assertThat(Quorum.NONE.reportsOfLoss()).isOne();
        assertThat(Quorum.NONE.isLeased()).isFalse();
    }

    /** F7: an established node counts as sound while it hears half of its peers, and not one fewer. */
    @Property
    void aNodeIsSoundWhileItHearsAtLeastHalfOfItsPeers(
            @ForAll @IntRange(min = 0, max = 6) int mutual,
            @ForAll @IntRange(min = 0, max = 3) int heard,
            @ForAll @IntRange(min = 0, max = 3) int hearing,
            @ForAll @IntRange(min = 0, max = 3) int young,
            @ForAll NodeInfo.State state,
            @ForAll boolean leased) {
        List<PeerHearing> peers = new ArrayList<>();
        IntStream.range(0, mutual).forEach(i -> peers.add(new PeerHearing("m" + i, true, true, true)));
        IntStream.range(0, heard).forEach(i -> peers.add(new PeerHearing("h" + i, true, true, false)));
        IntStream.range(0, hearing).forEach(i -> peers.add(new PeerHearing("s" + i, true, false, true)));
        IntStream.range(0, young).forEach(i -> peers.add(new PeerHearing("y" + i, false, true, false)));
        LeaseStanding lease = leased ? LeaseStanding.NOT_NEEDED : LeaseStanding.NOT_NEEDED.lapsed(Instant.EPOCH);
        NodeStanding standing = new NodeStanding(state, lease, peers, List.of(), 0);

        assertThat(standing.isSound()).isEqualTo(state == NodeInfo.State.UP && leased && mutual >= heard + hearing);
        assertThat(standing.unheard()).hasSize(heard + hearing + young).noneMatch(name -> name.startsWith("m"));
    }
}
