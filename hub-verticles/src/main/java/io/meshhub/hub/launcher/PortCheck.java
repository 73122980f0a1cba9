package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the port that kept a node from starting: the exception of a failed bind does not say which one it was. */
final class PortCheck {

    private record Endpoint(String key, String host, int port) {}

    private PortCheck() {}

    /** The line that names the first configured port that cannot be taken; empty when all can. */
    static Optional<String> taken(Settings<MeshHubSettings> settings) {
        MeshHubSettings s = settings.value();
        return Stream.of(
                        new Endpoint("http.port", s.http().host(), s.http().port()),
                        new Endpoint(
                                "cluster.bus.port",
                                s.cluster().bus().host(),
                                s.cluster().bus().port()),
                        new Endpoint(
                                "cluster.hazelcast.port",
                                s.cluster().hazelcast().host(),
                                s.cluster().hazelcast().port()))
                .filter(endpoint -> endpoint.port() != 0)
                .flatMap(endpoint -> fault(endpoint).stream()
                        .map(why -> settings.describe(endpoint.key()) + " cannot be taken on " + endpoint.host() + " ("
                                + why + "): end the process that has it, or set another port"))
                .findFirst();
    }

    private static Optional<String> fault(Endpoint endpoint) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
