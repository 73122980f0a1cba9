package io.meshhub.query.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one query can cost is bounded. */
class QueryBoundsTest {

    @Test
    void aFieldHasSoManyMembersAndNoMore() {
        String deep = "content" + ".a".repeat(Query.MAX_MEMBERS);
        assertThat(Query.parse("x " + deep + ":1 sort:" + deep).text()).contains(deep);

        assertThatThrownBy(() -> Query.parse("x " + deep + ".a:1"))
                .isInstanceOf(QuerySyntaxException.class)
                .hasMessageContaining("33 members")
                .hasMessageContaining("allowed are 32");
        assertThatThrownBy(() -> Query.parse("sort:" + deep + ".a")).isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
    void aPatternThatAlmostFitsEverywhereIsNoBurden() {
        String text = "a".repeat(2_000_000);
        QueryNode node = new QueryNode(MeshAddress.of("x"), "n", "x", new JsonObject().put("t", text), 1);

        assertThat(Query.parse("content.t:*" + "a".repeat(4000) + "b*").matches(node))
                .isFalse();
        assertThat(Query.parse("content.t:*" + "a?".repeat(1900) + "b*").matches(node))
                .isFalse();
        assertThat(Query.parse("content.t:*" + "a?".repeat(1900) + "a*").matches(node))
                .isTrue();
    }
}
