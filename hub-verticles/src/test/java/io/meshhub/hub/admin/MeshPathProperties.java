package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A percent-encoded path is the address that was encoded, or a Rejected; never anything else. */
final class MeshPathProperties {

    @Provide
    Arbitrary<MeshAddress> addresses() {
        return Arbitraries.strings()
                .withChars("abzAZ09._~@+-üßжñ京\uD835\uDC9C")
                .ofMinLength(1)
                .ofMaxLength(12)
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(segments -> String.join("/", segments))
                .filter(MeshPathProperties::isAddress)
                .map(MeshAddress::of);
    }

    private static boolean isAddress(String text) {
        try {
            MeshAddress.of(text);
            return true;
        } catch (Rejected e) {
            return false;
        }
    }

    @Property
    void whatWasEncodedIsRead(@ForAll("addresses") MeshAddress address) {
        String path = address.segments().stream()
                .map(segment -> URLEncoder.encode(segment, StandardCharsets.UTF_8))
                .collect(Collectors.joining("/", "/mesh/", ""));
        assertThat(MeshPath.address(path)).isEqualTo(address);
    }

    @Property
    void anyOtherPathIsRejectedWithAPosition(@ForAll String text) {
        try {
            MeshPath.address("/mesh/" + text);
        } catch (Rejected e) {
            assertThat(e.position()).isPresent();
        }
    }

    @Property
    void anEncodedSlashNeverSeparates(@ForAll("addresses") MeshAddress address) {
        assertThatExceptionOfType(Rejected.class)
                .isThrownBy(() -> MeshPath.address(
                        "/mesh/" + URLEncoder.encode(address.segments().get(0) + "/x", StandardCharsets.UTF_8)))
                .withMessageContaining("%2F");
    }
}
