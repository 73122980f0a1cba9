package io.meshhub.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file of tokens may say, and that all that is wrong is told at once, with its place and without a secret. */
class TokensFileTest {

    private static final String HASH = Tokens.hash("a token");

    @TempDir
    Path directory;

    @Test
    void yamlAndJsonAreRead() {
        Tokens yaml = TokensFile.parse("- name: ann\n  token-sha256: " + HASH + "\n  roles: [viewer, editor]\n");
        assertThat(yaml.find("a token")).contains(Principal.of("ann", Set.of("viewer", "editor")));
        assertThat(yaml.find("another")).isEmpty();
        assertThat(yaml.find(HASH)).as("a hash is no token").isEmpty();
        Tokens json = TokensFile.parse("[{\"name\": \"ann\", \"token-sha256\": \"" + HASH + "\", \"roles\": []}]");
        assertThat(json.find("a token")).contains(Principal.of("ann", Set.of()));
    }

    @Test
    void allThatIsWrongIsToldAtOnceWithItsPlaceAndWithoutWhatMayBeASecret() {
        String file = "- name: mesh:node-1\n  token-sha256: my-secret-in-clear\n  roles: viewer\n"
                + "- token-sha256: " + HASH + "\n  roles: [\"two words\"]\n  role: x\n"
                + "- just-a-word\n"
                + "- name: bob\n  token-sha256: " + HASH + "\n  roles: []\n";
        assertThatThrownBy(() -> TokensFile.parse(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("entry 1 (line 1): name must not begin with 'mesh:'")
                .hasMessageContaining("entry 1 (line 1): token-sha256 must be 64 hex digits; it has 18 characters")
                .hasMessageContaining("entry 1 (line 1): roles must be a list")
                .hasMessageContaining("entry 2 (line 4): field 'role' is unknown")
                .hasMessageContaining("entry 2 (line 4) has no name")
                .hasMessageContaining("entry 2 (line 4): a role must be a name without white space")
                .hasMessageContaining("entry 3 (line 7) is no object")
                .hasMessageContaining("entry 4 (line 8): token-sha256 is that of the entry in line 4 too")
                .message()
                .doesNotContain("my-secret-in-clear")
                .doesNotContain(HASH);
    }

    @Test
    void whatIsNoListOfEntriesIsRefusedWithoutItsText() {
        assertThatThrownBy(() -> TokensFile.parse("[")).hasMessage("is neither YAML nor JSON");
        assertThatThrownBy(() -> TokensFile.parse("name: x")).hasMessageContaining("must be a list");
        assertThatThrownBy(() -> TokensFile.parse("[]")).hasMessageContaining("has 0 entries");
        assertThatThrownBy(() -> TokensFile.read(directory.resolve("absent"))).hasMessage("does not exist");
    }
}
