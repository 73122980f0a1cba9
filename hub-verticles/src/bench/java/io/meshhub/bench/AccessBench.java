package io.meshhub.bench;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.AccessControl;
import io.meshhub.hub.access.RoleDecider;
import io.meshhub.hub.access.Tokens;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/** What security costs a warm request to the own node: two nodes in one JVM, one open and one that enforces it. */
public final class AccessBench {

    private static final int ADDRESSES = 16;

    private AccessBench() {}

    /** No arguments. */
    public static void main(String[] args) {
        MeshHub open = BenchCluster.get(
                MeshHub.builder().hub("echo", BenchNode.Echo::new).start());
        MeshHub secured = BenchCluster.get(MeshHub.builder()
                .hub("echo", BenchNode.Echo::new)
                .options(HubOptions.ofDefaults().withPrincipalRequired(true))
                .gates((vertx, pacer) -> new AccessControl.Parts(
                                "node-1",
                                Tokens.NONE,
                                Optional.empty(),
                                new RoleDecider(),
                                BudgetLadder.ofDefaults().permission(),
                                MeshMetrics.NONE)
                        .open(vertx, pacer))
                .start());
        for (int outstanding : List.of(256, 1)) {
            compare(open, secured, outstanding);
        }
        BenchCluster.get(open.stop());
        BenchCluster.get(secured.stop());
    }

    private static void compare(MeshHub open, MeshHub secured, int outstanding) {
        Context openCaller = ((VertxInternal) open.vertx()).createEventLoopContext();
        Context securedCaller = ((VertxInternal) secured.vertx()).createEventLoopContext();
        IntFunction<Future<?>> asOpen = requests(open, MeshOptions.DEFAULT);
        IntFunction<Future<?>> asAnn = requests(secured, MeshOptions.DEFAULT.withPrincipal("ann editor"));
        Map<String, Load.Window> seen = new Sides()
                .with("open", millis -> BenchCluster.get(Load.run(openCaller, asOpen, outstanding, millis)))
                .with("secured", millis -> BenchCluster.get(Load.run(securedCaller, asAnn, outstanding, millis)))
                .warm(2500)
                .alternate(7, 700)
                .medians();
        Load.Window unsecured = Objects.requireNonNull(seen.get("open"));
        Load.Window enforced = Objects.requireNonNull(seen.get("secured"));
        Report.line(
                "access: own node, 100 bytes, %d outstanding: open %.0f/s p50 %.1f us, secured %.0f/s p50 %.1f us, a request"
                        + " costs %.3f times as much (aim at most 1.1)",
                outstanding,
                unsecured.perSecond(),
                unsecured.p50Micros(),
                enforced.perSecond(),
                enforced.p50Micros(),
                unsecured.perSecond() / enforced.perSecond());
    }

    private static IntFunction<Future<?>> requests(MeshHub hub, MeshOptions options) {
        Buffer body = Buffer.buffer(new byte[100]);
        List<MeshAddress> addresses = new ArrayList<>();
        for (int i = 0; i < ADDRESSES; i++) {
            addresses.add(MeshAddress.of("echo/" + i));
        }
        return i -> hub.mesh()
                .call(addresses.get(Math.floorMod(i, ADDRESSES)), body, options)
                .answer();
    }
}
