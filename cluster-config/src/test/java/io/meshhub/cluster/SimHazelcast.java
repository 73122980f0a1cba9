package io.meshhub.cluster;

import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The data grid below a simulated cluster: sides that see only themselves once a cut was noticed, maps whose copy may miss
 * what was written meanwhile on the other side, events that come late or never, and a merge in which the smaller side's
 * members become others.
 */
final class SimHazelcast {

    private static final long HEARTBEAT_LIMIT_MILLIS = 5_000;
    private static final long MERGE_MILLIS = 4_000;

    /** Members that see each other, and what they hold. */
    private static final class Side {
        final List<SimNode> members = new ArrayList<>();
        final Map<Integer, ShardRow> rows = new HashMap<>();
        final Map<String, NodeRow> nodes = new LinkedHashMap<>();
    }

    private final SimWorld world;
    private final List<Side> sides = new ArrayList<>(List.of(new Side()));
    private final Set<Integer> cut = new LinkedHashSet<>();
    private final Map<Integer, Map<Integer, ShardRow>> atCut = new HashMap<>();
    private long members;

    SimHazelcast(SimWorld world) {
        this.world = world;
    }

    private Side sideOf(SimNode node) {
        return sides.stream()
                .filter(side -> side.members.contains(node))
                .findFirst()
                .orElse(null);
    }

    private Side largest() {
        Side largest = sides.get(0);
        for (Side side : sides) {
            if (side.members.size() > largest.members.size()) {
                largest = side;
            }
        }
        return largest;
    }

    // ---- members

    /** A process joins the largest side that it reaches; not while it is cut off. */
    boolean join(SimNode node) {
        if (cut.contains(node.number)) {
            return false;
        }
        Side side = largest();
        if (side.members.stream().anyMatch(member -> member.number == node.number)) {
            return false;
        }
        node.member = new UUID(1, ++members);
        side.members.add(node);
        tell(side);
        return true;
    }

    /** A process that ended is noticed after a while. */
    void gone(SimNode node, long afterMillis) {
        world.after(afterMillis, () -> {
            Side side = sideOf(node);
            if (side != null) {
                side.members.remove(node);
                dropEmpty();
                tell(side);
            }
        });
    }

    /** The same member hosts another process from now on. */
    void replace(SimNode node, SimNode next) {
        Side side = sideOf(node);
        if (side != null) {
            next.member = node.member;
            side.members.set(side.members.indexOf(node), next);
        } else {
            world.after(0, next::start);
        }
    }

    private void dropEmpty() {
        if (sides.size() > 1) {
            sides.removeIf(side -> side.members.isEmpty());
        }
    }

    /** A node neither hears nor is heard, for a while; the others notice, and it does. */
    void cut(int number, long millis) {
        if (!cut.add(number)) {
            return;
        }
        SimNode node = world.processes.get(number);
        Side side = sideOf(node);
        if (side != null) {
            atCut.put(number, new HashMap<>(side.rows));
        }
        world.after(HEARTBEAT_LIMIT_MILLIS + world.random.nextInt(500), () -> {
            if (cut.contains(number)) {
                split(world.processes.get(number));
            }
        });
        world.after(millis, () -> {
            cut.remove(number);
            atCut.remove(number);
            world.after(MERGE_MILLIS, this::merge);
        });
    }

    // Each side keeps what it holds the first copy of, and of the rest what the copy was when the cut began.
    private void split(SimNode node) {
        Side side = sideOf(node);
        if (side == null || side.members.size() == 1) {
            return;
        }
        Map<Integer, ShardRow> before = atCut.getOrDefault(node.number, side.rows);
        Side alone = new Side();
        alone.nodes.putAll(side.nodes);
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            ShardRow current = side.rows.get(shard);
            ShardRow old = before.get(shard);
            boolean mine = primary(side, shard) == node;
            put(alone.rows, shard, mine ? current : old);
            put(side.rows, shard, mine ? old : current);
        }
        side.members.remove(node);
        alone.members.add(node);
        sides.add(alone);
        dropEmpty();
        tell(side);
        tell(alone);
    }

    private static void put(Map<Integer, ShardRow> rows, int shard, ShardRow row) {
        if (row == null) {
            rows.remove(shard);
        } else {
            rows.put(shard, row);
        }
    }

    private void merge() {
        Side target = largest();
        for (Side side : List.copyOf(sides)) {
            boolean reachable = side != target && side.members.stream().noneMatch(node -> cut.contains(node.number));
            if (reachable && target.members.stream().noneMatch(node -> cut.contains(node.number))) {
                sides.remove(side);
                side.rows.forEach((shard, row) ->
                        target.rows.merge(shard, row, (mine, theirs) -> theirs.supersedes(mine) ? theirs : mine));
                side.nodes.forEach((key, row) -> target.nodes.merge(
                        key, row, (a, b) -> b.node().state().compareTo(a.node().state()) > 0 ? b : a));
                for (SimNode node : side.members) {
                    node.member = new UUID(1, ++members);
                    target.members.add(node);
                }
            }
        }
        tell(target);
        if (sides.size() > 1) {
            world.after(MERGE_MILLIS, this::merge);
        }
    }

    /** A frozen process is noticed like one that is cut off. */
    void frozen(SimNode node, long millis) {
        cut(node.number, millis);
    }

    private void tell(Side side) {
        for (SimNode node : List.copyOf(side.members)) {
            world.after(world.random.nextInt(300), () -> node.execute(() -> refresh(node)));
        }
    }

    /** The process takes in the members and node rows of its side as they are now. */
    void refresh(SimNode node) {
        Side side = sideOf(node);
        if (side != null && node.membership != null) {
            node.membership.refresh(
                    side.members.stream().map(member -> member.member).toList(), List.copyOf(side.nodes.values()));
        }
    }

    /** The sides as they are, for people. */
    String describe() {
        StringBuilder text = new StringBuilder();
        for (Side side : sides) {
            text.append("[");
            side.members.forEach(node -> text.append(node.incarnation)
                    .append(node.dead ? " dead" : "")
                    .append(node.isFrozen() ? " frozen" : "")
                    .append(node.membership == null ? " not in" : "")
                    .append(", "));
            text.append("rows ")
                    .append(side.rows.values().stream().map(SimCheck::text).toList());
            text.append("] ");
        }
        return text + "cut " + cut;
    }

    // ---- maps

    private SimNode primary(Side side, int key) {
        return side.members.get(Math.floorMod(key, side.members.size()));
    }

    void loseRow(int shard) {
        Side side = largest();
        side.rows.remove(shard);
    }

    Future<Void> putNode(SimNode node, NodeRow row) {
        return operate(node, row.incarnation().hashCode(), true, side -> {
            side.nodes.merge(
                    row.incarnation(),
                    row,
                    (a, b) -> b.node().state().compareTo(a.node().state()) > 0 ? b : a);
            tell(side);
            return null;
        });
    }

    /** A member hosts one incarnation: former ones must not seem to live because their member does. */
    Future<Void> expelFormer(SimNode node) {
        return operate(node, node.number, true, side -> {
            side.nodes.replaceAll((key, row) -> row.member().equals(node.member) && !key.equals(node.incarnation)
                    ? row.in(io.meshhub.routing.spi.NodeInfo.State.EXPELLED)
                    : row);
            tell(side);
            return null;
        });
    }

    Future<ShardRow> read(SimNode node, int shard) {
        return operate(node, shard, false, side -> side.rows.getOrDefault(shard, ShardRow.unowned(shard)));
    }

    Future<ShardRow> change(SimNode node, int shard, RowChange change) {
        return operate(node, shard, true, side -> {
            ShardRow before = side.rows.getOrDefault(shard, ShardRow.unowned(shard));
            SimNode primary = primary(side, shard);
            ShardRow after = change.apply(before, primary.membership::isDropped);
            if (!after.equals(before)) {
                side.rows.put(shard, after);
                for (SimNode member : side.members) {
                    if (world.random.nextInt(30) != 0) {
                        world.after(
                                world.random.nextInt(40) == 0 ? world.random.nextInt(3_000) : world.random.nextInt(20),
                                () -> member.execute(() -> member.rowTold(after)));
                    }
                }
            }
            return after;
        });
    }

    private interface Operation<T> {
        T on(Side side);
    }

    // Done where the first copy is, if that can be reached there and back.
    private <T> Future<T> operate(SimNode node, int key, boolean write, Operation<T> operation) {
        Promise<T> promise = Promise.promise();
        world.after(world.random.nextInt(4), () -> {
            Side side = sideOf(node);
            if (side == null || side.members.isEmpty()) {
                return;
            }
            SimNode primary = primary(side, key);
            boolean reached =
                    primary == node || (!cut.contains(node.number) && !cut.contains(primary.number) && !primary.dead);
            if (!reached || primary.isFrozen() || primary.membership == null) {
                return;
            }
            boolean refused = write
                    && world.plan.quorum().isLeased()
                    && side.members.size() < world.plan.quorum().size();
            T result = refused ? null : operation.on(side);
            world.after(
                    world.random.nextInt(4),
                    () -> node.execute(() -> {
                        if (refused) {
                            promise.tryFail("too few members for a write");
                        } else {
                            promise.tryComplete(result);
                        }
                    }));
        });
        return promise.future();
    }
}
