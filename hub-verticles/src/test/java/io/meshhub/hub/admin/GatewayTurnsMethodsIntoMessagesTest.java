package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import org.junit.jupiter.api.Test;

/** What each method sends, and how a reply is rendered. */
final class GatewayTurnsMethodsIntoMessagesTest extends EdgeFixture {

    private static final JsonObject NODE = new JsonObject()
            .put("path", "iso/CH")
            .put("nodeType", "country")
            .put("name", "Switzerland")
            .put("version", 7)
            .put("content", new JsonObject().put("capital", "Bern"));

    record Sum(int a, int b) {}

    private JsonObject sent() {
        return mesh.last().body().as(JsonObject.class).orElseThrow();
    }

    @Test
    void getReadsADocumentUnderItsVersion() {
        mesh.reply(NODE);
        HttpResponse<Buffer> response = get("/mesh/iso/CH");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.bodyAsJsonObject()).isEqualTo(NODE);
        assertThat(response.getHeader("ETag")).isEqualTo("\"7\"");
        assertThat(response.getHeader("Content-Type")).isEqualTo("application/json");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-cache");
        assertThat(mesh.last().type()).isEqualTo("get");
        assertThat(mesh.last().to()).hasToString("iso/CH");
        assertThat(mesh.last().verb()).isEqualTo(Verb.REQUEST);
        assertThat(mesh.last().body().isNull()).isTrue();
        assertThat(mesh.options.get(0).idempotent()).isTrue();
    }

    @Test
    void aVersionThatTheClientHoldsIsNotSentAgain() {
        mesh.reply(NODE);
        for (String held : new String[] {"\"7\"", "\"3\", W/\"7\"", "*"}) {
            HttpResponse<Buffer> response =
                    send(request(HttpMethod.GET, "/mesh/iso/CH").putHeader("If-None-Match", held));
            assertThat(response.statusCode()).as(held).isEqualTo(304);
            assertThat(response.getHeader("ETag")).isEqualTo("\"7\"");
            assertThat(response.body()).isNull();
        }
        assertThat(send(request(HttpMethod.GET, "/mesh/iso/CH").putHeader("If-None-Match", "\"6\""))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void headAnswersLikeGetWithoutABody() {
        mesh.reply(NODE);
        HttpResponse<Buffer> response = send(request(HttpMethod.HEAD, "/mesh/iso/CH"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.getHeader("ETag")).isEqualTo("\"7\"");
        assertThat(response.body()).isNull();
    }

    @Test
    void putCreatesOrReplaces() {
        mesh.reply(NODE.copy().put("created", true));
        String body = "{\"nodeType\":\"country\",\"name\":\"Switzerland\",\"content\":{}}";
        HttpResponse<Buffer> created =
                send(request(HttpMethod.PUT, "/mesh/iso/CH").putHeader("If-None-Match", "*"), "application/json", body);
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.getHeader("Location")).isEqualTo("/mesh/iso/CH");
        assertThat(created.getHeader("ETag")).isEqualTo("\"7\"");
        assertThat(mesh.last().type()).isEqualTo("put");
        assertThat(sent()).isEqualTo(new JsonObject(body).put("ifVersion", 0));
        assertThat(mesh.options.get(0).idempotent()).isFalse();

        mesh.reply(NODE.copy().put("created", false));
        HttpResponse<Buffer> replaced = send(
                request(HttpMethod.PUT, "/mesh/iso/CH").putHeader("If-Match", "\"6\""),
                "application/json; charset=UTF-8",
                body);
        assertThat(replaced.statusCode()).isEqualTo(200);
        assertThat(sent().getLong("ifVersion")).isEqualTo(6);

        send(request(HttpMethod.PUT, "/mesh/iso/CH"), "application/json", body);
        assertThat(sent().containsKey("ifVersion")).isFalse();
    }

    @Test
    void patchNamesItsFormat() {
        mesh.reply(NODE);
        for (String media : new String[] {"application/merge-patch+json", "application/json"}) {
            assertThat(send(request(HttpMethod.PATCH, "/mesh/iso/CH"), media, "{\"name\":\"x\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(sent())
                    .isEqualTo(new JsonObject()
                            .put("format", "merge-patch")
                            .put("patch", new JsonObject().put("name", "x")));
        }
        send(
                request(HttpMethod.PATCH, "/mesh/iso/CH").putHeader("If-Match", "\"7\""),
                "application/json-patch+json",
                "[{\"op\":\"remove\",\"path\":\"/content/capital\"}]");
        assertThat(mesh.last().type()).isEqualTo("patch");
        assertThat(sent().getString("format")).isEqualTo("json-patch");
        assertThat(sent().getJsonArray("patch")).hasSize(1);
        assertThat(sent().getLong("ifVersion")).isEqualTo(7);
        problem(send(request(HttpMethod.PATCH, "/mesh/iso/CH"), "text/plain", "{}"), 415);
    }

    @Test
    void deleteAnswersWithoutContent() {
        HttpResponse<Buffer> response = send(request(HttpMethod.DELETE, "/mesh/iso/CH"));
        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(mesh.last().type()).isEqualTo("delete");
        assertThat(mesh.last().body().isNull()).isTrue();
        send(request(HttpMethod.DELETE, "/mesh/iso/CH").putHeader("If-Match", "\"9\""));
        assertThat(sent()).isEqualTo(new JsonObject().put("ifVersion", 9));
    }

    @Test
    void postSendsAnyMessage() {
        mesh.answer = envelope -> io.vertx.core.Future.succeededFuture(envelope.body());
        assertPost("application/json", "{\"a\":1}", MeshBody.Kind.OBJECT, "application/json", "{\"a\":1}");
        assertPost("application/json", "[1,2]", MeshBody.Kind.ARRAY, "application/json", "[1,2]");
        assertPost("application/json", "12", MeshBody.Kind.INTEGER, "application/json", "12");
        assertPost("application/json", "1.5", MeshBody.Kind.DECIMAL, "application/json", "1.5");
        assertPost("application/json", "true", MeshBody.Kind.BOOLEAN, "application/json", "true");
        assertPost("application/json", "\"hi\"", MeshBody.Kind.STRING, "text/plain; charset=utf-8", "hi");
        assertPost("text/plain", "grüezi", MeshBody.Kind.STRING, "text/plain; charset=utf-8", "grüezi");
        assertPost("application/octet-stream", "raw", MeshBody.Kind.BUFFER, "application/octet-stream", "raw");
    }

    private void assertPost(String media, String body, MeshBody.Kind kind, String answered, String answer) {
        HttpResponse<Buffer> response =
                send(request(HttpMethod.POST, "/mesh/orders/42").putHeader("Mesh-Type", "Add"), media, body);
        assertThat(response.statusCode()).as(response.bodyAsString()).isEqualTo(200);
        assertThat(mesh.last().type()).isEqualTo("Add");
        assertThat(mesh.last().body().kind()).isEqualTo(kind);
        assertThat(response.getHeader("Content-Type")).isEqualTo(answered);
        assertThat(response.bodyAsString()).isEqualTo(answer);
    }

    @Test
    void aReplyWithoutABodyIs204AndARecordIsJson() {
        assertThat(send(request(HttpMethod.POST, "/mesh/orders/42").putHeader("Mesh-Type", "Ping"))
                        .statusCode())
                .isEqualTo(204);
        assertThat(mesh.last().body().isNull()).isTrue();
        mesh.reply(new Sum(1, 2));
        assertThat(send(request(HttpMethod.POST, "/mesh/orders/42").putHeader("Mesh-Type", "Ping"))
                        .bodyAsJsonObject())
                .isEqualTo(new JsonObject().put("a", 1).put("b", 2));
        mesh.reply(new JsonArray().add(1));
        assertThat(get("/mesh/orders/42").bodyAsJsonArray()).hasSize(1);
    }

    @Test
    void aPostNamesATypeThatIsNotTheMeshsOwn() {
        String uri = "/mesh/orders/42";
        assertThat(problem(send(request(HttpMethod.POST, uri)), 400).getString("detail"))
                .contains("Mesh-Type");
        assertThat(problem(send(request(HttpMethod.POST, uri).putHeader("Mesh-Type", "mesh.dispose")), 400)
                        .getString("detail"))
                .contains("'mesh.dispose'");
        problem(send(request(HttpMethod.POST, uri).putHeader("Mesh-Type", "t".repeat(129))), 400);
        assertThat(mesh.asked).isEmpty();
    }
}
