package io.meshhub.cluster.links;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.nio.ConnectionType;
import com.hazelcast.internal.server.ServerConnection;
import io.meshhub.cluster.lease.Streaks;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections to other members over which nothing was heard for too long, so that new ones are opened.
 *
 * <p>Members send heartbeats every second, so that one which lives is never silent. TCP doubles its rests while a link is
 * cut: what was cut for 13 s is silent for up to 26 s, and with it each operation on a row that is kept behind it, although
 * the link has long healed. A connection that is opened anew tries every few seconds.
 *
 * <p>The one class that touches the connections of Hazelcast, which has no public way to them.
 */
public final class MemberLinks {

    private static final Logger LOG = LoggerFactory.getLogger(MemberLinks.class);

    /** How often the connections are looked at. */
    static final Duration PACE = Duration.ofSeconds(1);

    // A process that stood still finds all silent at its first look, before it has read what came meanwhile.
    private static final int LOOKS = 2;

    private final HazelcastInstance hazelcast;
    private final Pacer pacer;
    private final MeshClock clock;
    private final Duration limit;
    private final Streaks silent = new Streaks(LOOKS);
    private Pacer.Cancellable next = Pacer.Cancellable.NONE;
    private boolean closed;

    /**
     * Links that are not watched yet.
     *
     * @param pacer where they are looked at; all methods are called there
     * @param limit for how long one may be silent, a second at least; the members' own heartbeat limit
     */
    public MemberLinks(HazelcastInstance hazelcast, Pacer pacer, MeshClock clock, Duration limit) {
        this.hazelcast = hazelcast;
        this.pacer = pacer;
        this.clock = clock;
        this.limit = limit;
    }

    /** Looks at them once a second from now on. */
    public void watch() {
        if (closed) {
            return;
        }
        next = pacer.after(PACE, () -> {
            // First, so that a look that fails is not the last one.
            watch();
            look();
        });
    }

    /** Looks at them no more. */
    public void close() {
        closed = true;
        next.cancel();
    }

    void look() {
        long now = clock.wallMillis();
        Map<String, List<ServerConnection>> byMember = connections().stream()
                .collect(Collectors.groupingBy(
                        connection -> String.valueOf(connection.getRemoteAddress()), Collectors.toList()));
        Set<String> found = byMember.entrySet().stream()
                .filter(member -> silentMillis(member.getValue(), now) > limit.toMillis())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        Set<String> over = silent.on(found);
        byMember.forEach((member, connections) -> {
            if (over.contains(member)) {
                openAnew(member, connections, silentMillis(connections, now));
            }
        });
    }

    private static void openAnew(String member, List<ServerConnection> connections, long millis) {
        LOG.warn(
                "Member {} has been silent for {} ms; its connections ({}) are opened anew",
                member,
                millis,
                connections.size());
        // Without a cause: with one it would count as a fault of the member.
        connections.forEach(connection -> connection.close("silent for " + millis + " ms", null));
    }

    // There may be two to one member: one that it writes to, and one that it reads from.
    private static long silentMillis(List<ServerConnection> connections, long now) {
        return connections.stream()
                .mapToLong(connection -> now - connection.lastReadTimeMillis())
                .min()
                .orElse(0);
    }

    /** The connections to other members that are open. */
    Collection<ServerConnection> connections() {
        HazelcastInstanceImpl member = hazelcast instanceof HazelcastInstanceProxy proxy
                ? proxy.getOriginal()
                : (HazelcastInstanceImpl) hazelcast;
        return List.copyOf(member.node
                        .getServer()
                        .getConnectionManager(EndpointQualifier.MEMBER)
                        .getConnections())
                .stream()
                .filter(ServerConnection::isAlive)
                .filter(connection -> ConnectionType.MEMBER.equals(connection.getConnectionType()))
                .toList();
    }
}
