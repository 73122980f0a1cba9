package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.routing.MeshBody;
import io.vertx.core.Promise;
import io.vertx.core.net.NetSocket;
import org.junit.jupiter.api.Test;

/** M6 at the edge: a client that closes its connection gives its call up, and a late answer goes nowhere. */
final class ClientThatLeavesGivesItsCallUpTest extends EdgeFixture {

    @Test
    void closingTheConnectionCancelsTheCall() {
        Promise<MeshBody> pending = Promise.promise();
        mesh.answer = envelope -> pending.future();
        NetSocket socket =
                vertx.createNetClient().connect(edge.port(), "127.0.0.1").await();
        socket.write("GET /mesh/orders/42 HTTP/1.1\r\nHost: x\r\n\r\n");
        await().until(() -> mesh.asked.size() == 1);
        assertThat(mesh.cancelled).hasValue(0);
        socket.close();
        await().untilAsserted(() -> assertThat(mesh.cancelled).hasValue(1));
        pending.complete(MeshBody.NULL);
        mesh.answer = envelope -> io.vertx.core.Future.succeededFuture(MeshBody.NULL);
        assertThat(get("/mesh/orders/42").statusCode()).isEqualTo(204);
    }

    @Test
    void anAnsweredRequestIsNotCancelled() {
        NetSocket socket =
                vertx.createNetClient().connect(edge.port(), "127.0.0.1").await();
        Promise<Void> answered = Promise.promise();
        socket.handler(any -> answered.tryComplete());
        socket.write("GET /mesh/orders/42 HTTP/1.1\r\nHost: x\r\n\r\n");
        answered.future().await();
        socket.close().await();
        assertThat(mesh.cancelled).hasValue(0);
    }
}
