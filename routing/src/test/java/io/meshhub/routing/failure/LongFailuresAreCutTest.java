package io.meshhub.routing.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever a handler throws, its failure takes a bounded number of bytes on the wire, and says what was cut. */
class LongFailuresAreCutTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");

    @Test
    void aLongTextIsCutAndSaysSo() {
        HandlerFailed failure = HandlerFailed.of(
                ADDRESS, "pay", FailureDetail.about(ADDRESS), new IllegalStateException("x".repeat(5_000_000)));

        HandlerFailed read = (HandlerFailed) FailureJson.read(FailureJson.write(failure));

        assertThat(read.causeMessage())
                .hasSizeLessThan(FailureJson.MAX_TEXT + 100)
                .contains("5000000 characters in all");
        assertThat(FailureJson.write(failure).encode()).hasSizeLessThan(20_000);
        assertThat(read.failureCode()).isEqualTo(failure.failureCode());
    }

    @Test
    void noCharacterIsCutInTwo() {
        String text = "x".repeat(FailureJson.MAX_TEXT - 1) + "\uD83D\uDE00";
        String read = FailureJson.read(FailureJson.write(Rejected.message(ADDRESS, text)))
                .getMessage();
        assertThat(read.codePoints()).noneMatch(point -> point >= 0xD800 && point <= 0xDFFF);
    }

    @Test
    void aLongListIsCutAndSaysSo() {
        NotHandled failure = NotHandled.at(
                ADDRESS, ActivationId.of(1, 1), RunLevel.STARTED, "a", "t", Collections.nCopies(10_000, "type"));
        List<String> read = ((NotHandled) FailureJson.read(FailureJson.write(failure))).allowed();
        assertThat(read).hasSize(FailureJson.MAX_LIST + 1);
        assertThat(read.get(FailureJson.MAX_LIST)).contains("10000");
    }
}
