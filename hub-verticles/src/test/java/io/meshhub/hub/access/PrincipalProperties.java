package io.meshhub.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A principal's text says all of it, and no text of another says that it is a node. */
class PrincipalProperties {

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings()
                .withCharRange('!', '~')
                .withChars('ä', '漢')
                .ofMinLength(1)
                .ofMaxLength(20)
                .filter(word -> !word.startsWith(Principal.SYSTEM_PREFIX));
    }

    @Provide
    Arbitrary<Set<String>> roles() {
        return words().set().ofMaxSize(4);
    }

    @Property
    void whatIsWrittenIsRead(@ForAll("words") String name, @ForAll("roles") Set<String> roles) {
        Principal principal = Principal.of(name, roles);
        assertThat(Principal.read(principal.text())).contains(principal);
        assertThat(Principal.isSystem(principal.text())).isFalse();
    }

    @Property
    void differentPrincipalsHaveDifferentTexts(
            @ForAll("words") String a, @ForAll("roles") Set<String> as, @ForAll("words") String b) {
        Principal one = Principal.of(a, as);
        Principal other = Principal.of(b, Set.of());
        assertThat(one.text().equals(other.text())).isEqualTo(one.equals(other));
    }

    @Property
    void anyTextIsReadAsOnePrincipalOrNone(@ForAll String text) {
        Principal.read(text).ifPresent(read -> {
            assertThat(read.system()).isEqualTo(text.startsWith(Principal.SYSTEM_PREFIX));
            assertThat(Principal.read(read.text())).contains(read);
        });
    }
}
