package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Senders whose messages are lost, doubled, late and gathered, and that start again: who looks the versions up whenever it
 * is told that something was missed knows all that was told up to the last message that it heard.
 */
class FeedSequencesProperties {

    private static final int SENDERS = 3;

    /** One process that writes: what stands in its store after each of its changes. */
    private static final class Sender {

        private final FeedOutbox outbox;
        private final List<Map<MeshAddress, Long>> after = new ArrayList<>(List.of(Map.of()));
        private final List<FeedNews> sent = new ArrayList<>();

        Sender(String name) {
            outbox = new FeedOutbox(name);
        }

        Map<MeshAddress, Long> now() {
            return after.get(after.size() - 1);
        }

        void write(int node, Map<MeshAddress, Long> store) {
            MeshAddress address = MeshAddress.of("iso/" + node);
            long version = store.merge(address, 1L, Long::sum);
            Map<MeshAddress, Long> next = new HashMap<>(now());
            next.put(address, version);
            after.add(next);
            outbox.offer(new NodeChange(after.size() - 1, NodeChange.Kind.UPDATED, address, version));
        }

        void send() {
            sent.addAll(outbox.take().values());
        }
    }

    @Provide
    Arbitrary<List<Integer>> happenings() {
        return Arbitraries.integers().between(0, 999).list().ofMaxSize(60);
    }

    @Property(tries = 1000)
    void whatIsNotHeardIsKnownToBeMissed(@ForAll("happenings") List<Integer> happenings) {
        Map<MeshAddress, Long> store = new HashMap<>();
        Map<MeshAddress, Long> known = new HashMap<>();
        List<Sender> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(new Sender("s" + i));
        }
        FeedSequences sequences = FeedSequences.NONE;
        for (int happening : happenings) {
            Sender sender = senders.get(happening % SENDERS);
            int choice = happening / SENDERS;
            switch (choice % 6) {
                case 0, 1 -> sender.write(choice % 4, store);
                case 2 -> {
                    sender.write(choice % 4, store);
                    sender.send();
                    sequences = hear(sequences, sender, sender.sent.size() - 1, known, store);
                }
                case 3 -> sender.send();
                case 4 -> {
                    if (!sender.sent.isEmpty()) {
                        sequences = hear(sequences, sender, choice % sender.sent.size(), known, store);
                    }
                }
                default -> senders.set(happening % SENDERS, new Sender("again" + senders.hashCode() + happening));
            }
        }
    }

    private static FeedSequences hear(
            FeedSequences before,
            Sender sender,
            int which,
            Map<MeshAddress, Long> known,
            Map<MeshAddress, Long> store) {
        FeedNews news = FeedNews.read(sender.sent.get(which).toJson());
        FeedSequences.Step step = before.on(news);
        step.fresh().forEach(change -> known.merge(change.address(), change.version(), Math::max));
        if (step.missed()) {
            known.putAll(store);
        }
        sender.after
                .get(Math.toIntExact(news.last()))
                .forEach((address, version) ->
                        assertThat(known.getOrDefault(address, 0L)).isGreaterThanOrEqualTo(version));
        FeedSequences.Step again = step.sequences().on(news);
        assertThat(again.fresh()).isEmpty();
        assertThat(again.missed()).isFalse();
        return step.sequences();
    }

    @Property(tries = 300)
    void nothingIsMissedWhereNothingIsLost(@ForAll("happenings") List<Integer> happenings) {
        Sender sender = new Sender("s");
        Map<MeshAddress, Long> store = new HashMap<>();
        FeedSequences sequences = FeedSequences.NONE;
        List<Long> fresh = new ArrayList<>();
        int missed = 0;
        for (int happening : happenings) {
            sender.write(happening % 5, store);
            if (happening % 3 == 0) {
                int from = sender.sent.size();
                sender.send();
                for (FeedNews news : sender.sent.subList(from, sender.sent.size())) {
                    FeedSequences.Step step = sequences.on(news);
                    sequences = step.sequences();
                    missed += step.missed() ? 1 : 0;
                    step.fresh().forEach(change -> fresh.add(change.sequence()));
                }
            }
        }
        assertThat(missed).isLessThanOrEqualTo(1);
        assertThat(fresh).doesNotHaveDuplicates().isSorted();
        assertThat(fresh).hasSize(fresh.isEmpty() ? 0 : Math.toIntExact(fresh.get(fresh.size() - 1)));
    }
}
