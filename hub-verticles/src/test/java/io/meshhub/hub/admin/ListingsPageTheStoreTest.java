package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lies around a path comes in pages; a path that is known to be nothing is NotFound, a broken store never is. */
final class ListingsPageTheStoreTest extends EdgeFixture {

    @BeforeEach
    void fill() {
        store.with("iso")
                .with("iso/CH")
                .with("iso/CH/ZH")
                .with("iso/DE")
                .with("zoo/cage/lion")
                .with("gone", true);
    }

    private static List<String> paths(JsonObject page) {
        return page.getJsonArray("nodes").stream()
                .map(node -> ((JsonObject) node).getString("path"))
                .toList();
    }

    @Test
    void scopesGoAsFarAsTheySay() {
        JsonObject page = get("/mesh/iso?children").bodyAsJsonObject();
        assertThat(page.getString("path")).isEqualTo("iso");
        assertThat(page.getString("scope")).isEqualTo("children");
        assertThat(page.getJsonArray("nodes").getJsonObject(0))
                .isEqualTo(new JsonObject()
                        .put("path", "iso/CH")
                        .put("nodeType", "thing")
                        .put("name", "CH")
                        .put("version", 4));
        assertThat(paths(page)).containsExactly("iso/CH", "iso/DE");
        assertThat(page.containsKey("next")).isFalse();
        assertThat(paths(get("/mesh/iso?scope=descendants").bodyAsJsonObject()))
                .containsExactly("iso/CH", "iso/CH/ZH", "iso/DE");
        assertThat(paths(get("/mesh/iso?scope=subtree").bodyAsJsonObject())).hasSize(4);
        assertThat(paths(get("/mesh/iso/CH/ZH?scope=ancestors").bodyAsJsonObject()))
                .containsExactly("iso", "iso/CH");
        assertThat(paths(get("/mesh?children").bodyAsJsonObject())).containsExactly("iso", "zoo");
        assertThat(get("/mesh?children&limit=1").bodyAsJsonObject().getString("next"))
                .isEqualTo("iso");
        assertThat(paths(get("/mesh?children&limit=1&after=iso").bodyAsJsonObject()))
                .containsExactly("zoo");
        assertThat(mesh.asked).isEmpty();
    }

    @Test
    void aPageNamesTheNextOne() {
        JsonObject first = get("/mesh/iso?scope=descendants&limit=2").bodyAsJsonObject();
        assertThat(paths(first)).containsExactly("iso/CH", "iso/CH/ZH");
        assertThat(first.getString("next")).isEqualTo("iso/CH/ZH");
        JsonObject second =
                get("/mesh/iso?scope=descendants&limit=2&after=iso/CH/ZH").bodyAsJsonObject();
        assertThat(paths(second)).containsExactly("iso/DE");
        assertThat(second.containsKey("next")).isFalse();
        assertThat(get("/mesh/iso?scope=descendants&limit=3").bodyAsJsonObject().containsKey("next"))
                .isFalse();
    }

    @Test
    void anEmptyPageIsNotFoundOnlyWhereNothingIs() {
        assertThat(paths(get("/mesh/iso/DE?children").bodyAsJsonObject())).isEmpty();
        assertThat(paths(get("/mesh/zoo?children").bodyAsJsonObject())).isEmpty();
        assertThat(paths(get("/mesh/iso?scope=ancestors").bodyAsJsonObject())).isEmpty();
        problem(get("/mesh/nowhere?children"), 404);
        problem(get("/mesh/gone?scope=subtree"), 404);
    }

    @Test
    void aBrokenStoreIsUnavailable() {
        store.broken = true;
        var response = get("/mesh/nowhere?children");
        JsonObject problem = problem(response, 503);
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:failure:Unavailable");
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
    }
}
