package io.meshhub.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The short form of the soak: streams in three nodes that are killed, frozen and written to tell the truth, are as the
 * store in the end, and leave nothing behind. The long one is {@code scripts/soak}.
 */
@Timeout(300)
class SoakIT {

    private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);
    private static final long SEED = 5;
    private static final int ADDRESSES = 300;
    private static final int WORKERS = 3;

    @Test
    void streamsOfNodesThatAreKilledFrozenAndWrittenToTellTheTruthAndLeaveNothingBehind() {
        SoakReport report = SoakRun.run(
                Soak.options(SEED, Duration.ofSeconds(30), ADDRESSES, WORKERS).in(Path.of("target", "soak", "it")),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
        assertThat(report.acknowledged()).isGreaterThan(2 * ADDRESSES);
        assertThat(report.faults()).isNotEmpty();
        assertThat(report.truth().checked()).isPositive();
    }
}
