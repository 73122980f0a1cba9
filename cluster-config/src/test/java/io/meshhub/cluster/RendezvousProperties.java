package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** The candidate of a shard: alike everywhere, moved no more than needed, in fair shares. */
final class RendezvousProperties {

    static NodeInfo node(String name, NodeInfo.State state) {
        return new NodeInfo(name, name + "-1", state, 1, "hub", Set.of(), "", "1");
    }

    private static List<NodeInfo> up(Set<String> names) {
        return names.stream().map(name -> node(name, NodeInfo.State.UP)).toList();
    }

    @Property
    void theOrderOfTheNodesDoesNotMatter(
            @ForAll @Size(min = 1, max = 8) Set<@AlphaChars @StringLength(min = 1, max = 6) String> names,
            @ForAll @IntRange(max = 1023) int shard,
            @ForAll Random random) {
        List<NodeInfo> shuffled = new ArrayList<>(up(names));
        Collections.shuffle(shuffled, random);

        assertThat(Rendezvous.over(shuffled).candidate(shard))
                .isEqualTo(Rendezvous.over(up(names)).candidate(shard))
                .isPresent();
    }

    @Property(tries = 100)
    void aNodeThatComesOnlyTakes(
            @ForAll @Size(min = 1, max = 8) Set<@AlphaChars @StringLength(min = 1, max = 6) String> names) {
        List<NodeInfo> before = up(names);
        List<NodeInfo> after = new ArrayList<>(before);
        NodeInfo joined = node("joined-node", NodeInfo.State.UP);
        after.add(joined);

        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            NodeInfo now = Rendezvous.over(after).candidate(shard).orElseThrow();
            if (!now.equals(joined)) {
                assertThat(now)
                        .isEqualTo(Rendezvous.over(before).candidate(shard).orElseThrow());
            }
        }
    }

    @Property(tries = 100)
    void sharesAreFair(@ForAll @Size(min = 2, max = 8) Set<@AlphaChars @StringLength(min = 1, max = 6) String> names) {
        Rendezvous rendezvous = Rendezvous.over(up(names));
        Map<String, Integer> shares = new HashMap<>();
        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            shares.merge(rendezvous.candidate(shard).orElseThrow().name(), 1, Integer::sum);
        }
        int fair = MeshAddress.SHARDS / names.size();

        assertThat(shares).hasSameSizeAs(names);
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(fair / 2, fair * 3 / 2));
    }

    @Property(tries = 50)
    void onlyNodesThatAreUpAndHaveARoleAreCandidates(
            @ForAll NodeInfo.State state, @ForAll @IntRange(max = 1023) int shard) {
        assertThat(Rendezvous.over(List.of(node("a", state))).candidate(shard).isPresent())
                .isEqualTo(state == NodeInfo.State.UP);
        assertThat(Rendezvous.over(List.of(new NodeInfo("a", "a-1", state, 1, "", Set.of(), "", "1")))
                        .candidate(shard))
                .isEmpty();
    }
}
