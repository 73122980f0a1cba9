package io.meshhub.cluster;

import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data grid below a simulated cluster: sides that see only themselves once a cut was noticed, maps whose copy may miss
 * what was written meanwhile on the other side, events that come late or never, and a merge in which the smaller side's
 * members become others.
 */
final class SimHazelcast {

    private static final long MERGE_MILLIS = 4_000;

    /** Members that see each other, and what they hold. */
    private static final class Side {
        final List<SimNode> members = new ArrayList<>();
        final Map<Integer, ShardRow> rows = new HashMap<>();
        final Map<String, NodeRow> nodes = new LinkedHashMap<>();
    }

    /** Nodes, as bits, that the others cannot reach, and what each side held when that began. */
    private static final class Cut {
        final int nodes;
        final IdentityHashMap<Side, Map<Integer, ShardRow>> rows = new IdentityHashMap<>();

        Cut(int nodes) {
            this.nodes = nodes;
        }
    }

    private final SimWorld world;
    private final List<Side> sides = new ArrayList<>(List.of(new Side()));
    private final Set<Cut> cuts = new LinkedHashSet<>();
    private long members;

    SimHazelcast(SimWorld world) {
        this.world = world;
    }

    private @Nullable Side sideOf(SimNode node) {
        for (Side side : sides) {
            if (side.members.contains(node)) {
                return side;
            }
        }
        return null;
    }

    private boolean isReached(int a, int b) {
        for (Cut cut : cuts) {
            if (SimWorld.isApart(cut.nodes, a, b)) {
                return false;
            }
        }
        return true;
    }

    private boolean isReached(SimNode node, Side side) {
        return side.members.stream().allMatch(member -> isReached(node.number, member.number));
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

    /** A process joins the largest side that it reaches, if there is one. */
    boolean join(SimNode node) {
        Side side = null;
        for (Side other : sides) {
            boolean larger = side == null || other.members.size() > side.members.size();
            if (larger && isReached(node, other)) {
                side = other;
            }
            if (other.members.stream().anyMatch(member -> member.number == node.number)) {
                return false;
            }
        }
        if (side == null) {
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

    /** Some nodes neither hear the others nor are heard by them, for a while; both sides notice. */
    void cut(int nodes, long millis) {
        Cut cut = new Cut(nodes);
        cuts.add(cut);
        sides.forEach(side -> cut.rows.put(side, new HashMap<>(side.rows)));
        world.after(world.plan.net().heartbeatMillis() + world.random.nextInt(500), () -> {
            if (cuts.contains(cut)) {
                List.copyOf(sides).forEach(side -> split(side, cut));
            }
        });
        world.after(millis, () -> {
            cuts.remove(cut);
            world.after(MERGE_MILLIS, this::merge);
        });
    }

    // Each side keeps what it holds the first copy of, and of the rest what the copy was when the cut began.
    private void split(Side side, Cut cut) {
        List<SimNode> apart = new ArrayList<>();
        for (SimNode node : side.members) {
            if ((cut.nodes >> node.number & 1) != 0) {
                apart.add(node);
            }
        }
        if (apart.isEmpty() || apart.size() == side.members.size()) {
            return;
        }
        Map<Integer, ShardRow> before = cut.rows.getOrDefault(side, side.rows);
        Side other = new Side();
        other.nodes.putAll(side.nodes);
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            ShardRow current = side.rows.get(shard);
            ShardRow old = before.get(shard);
            boolean goes = apart.contains(primary(side, shard));
            put(other.rows, shard, goes ? current : old);
            put(side.rows, shard, goes ? old : current);
        }
        side.members.removeAll(apart);
        other.members.addAll(apart);
        sides.add(other);
        tell(side);
        tell(other);
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
            if (side != target && target.members.stream().allMatch(node -> isReached(node, side))) {
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
        dropEmpty();
        if (sides.size() > 1) {
            world.after(MERGE_MILLIS, this::merge);
        }
    }

    /** A frozen process is noticed like one that is cut off. */
    void frozen(SimNode node, long millis) {
        cut(1 << node.number, millis);
    }

    private void tell(Side side) {
        for (SimNode node : List.copyOf(side.members)) {
            world.after(
                    world.random.nextInt(world.plan.net().listLagMillis()), () -> node.execute(() -> refresh(node)));
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
        return text + "cut " + cuts.stream().map(cut -> cut.nodes).toList();
    }

    // ---- maps

    private SimNode primary(Side side, int key) {
        return side.members.get(Math.floorMod(key, side.members.size()));
    }

    /** The row as the largest side holds it. */
    ShardRow row(int shard) {
        return largest().rows.getOrDefault(shard, ShardRow.unowned(shard));
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
                    if (world.random.nextInt(world.plan.net().eventLostOneIn()) != 0) {
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
            boolean reached = primary == node || (isReached(node.number, primary.number) && !primary.dead);
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
