package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M10: whatever a handler sends, at once or from a later callback, is sent on behalf of whom it handles. */
@Timeout(60)
class WhatAHandlerSendsTest {

    private static final Map<String, CallScope> HEARD = new ConcurrentHashMap<>();
    private static final String[] WAYS = {
        "request", "send", "notify", "hosted", "bus-request", "bus-send", "bus-publish"
    };

    @RegisterExtension
    static final MeshExtension MESH = MeshExtension.cluster(2)
            .hub("sink", () -> new TestHub((self, setup) -> hears(setup)))
            .hub(
                    "origin",
                    () -> new TestHub((self, setup) -> {
                        setup.hosts("child", () -> new TestHub((child, own) -> hears(own)));
                        setup.on("now", String.class, to -> tellAll(self.self(), MeshAddress.of(to)));
                        setup.on("later", String.class, to -> {
                            Promise<Void> told = Promise.promise();
                            self.vertx()
                                    .setTimer(
                                            5,
                                            id -> tellAll(self.self(), MeshAddress.of(to))
                                                    .onComplete(told));
                            return told.future();
                        });
                    }))
            .build();

    private static void hears(HubSetup setup) {
        for (String way : WAYS) {
            setup.on(way, MeshBody.class, body -> {
                HEARD.put(way, CallScope.current());
                return Future.succeededFuture("heard");
            });
        }
    }

    private static Future<Void> tellAll(HubContext hub, MeshAddress to) {
        Mesh mesh = hub.mesh();
        mesh.notify(to, "x", typed("notify"));
        mesh.eventBus().send(to.toString(), "x", bus("bus-send")).publish(to.toString(), "x", bus("bus-publish"));
        return Future.all(
                        mesh.request(to, "x", String.class, typed("request")),
                        mesh.send(to, "x", typed("send")),
                        hub.host("child").request("x", String.class, typed("hosted")),
                        mesh.eventBus().request(to.toString(), "x", bus("bus-request")))
                .mapEmpty();
    }

    private static MeshOptions typed(String type) {
        return MeshOptions.DEFAULT.withType(type);
    }

    private static DeliveryOptions bus(String type) {
        return new DeliveryOptions().addHeader("mesh-type", type);
    }

    @BeforeEach
    void nothingHeard() {
        HEARD.clear();
        MESH.mesh(1).addPartition("sink");
    }

    private static void everythingIsSentFor(String principal, String correlation, String when) {
        MeshAddress origin = MESH.addressOn(1, "origin/" + principal);
        MeshAddress sink = MESH.addressOn(2, "sink/" + principal);
        MeshExtension.await(MESH.mesh(1)
                .request(
                        origin,
                        sink.toString(),
                        Object.class,
                        typed(when).withPrincipal(principal).withCorrelationId(correlation)));
        Awaitility.await().until(() -> HEARD.size() == WAYS.length);
        assertThat(HEARD).hasSameSizeAs(WAYS).allSatisfy((way, scope) -> {
            assertThat(scope.principal()).as(way).isEqualTo(principal);
            assertThat(scope.correlationId()).as(way).isEqualTo(correlation);
        });
    }

    @Test
    void allThatAHandlerSendsCarriesItsPrincipalAndItsCorrelationId() {
        everythingIsSentFor("ann", "c-1", "now");
    }

    @Test
    void soDoesWhatItSendsFromALaterCallback() {
        everythingIsSentFor("bob", "c-2", "later");
    }
}
