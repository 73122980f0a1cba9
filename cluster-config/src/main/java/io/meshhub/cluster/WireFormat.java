package io.meshhub.cluster;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How rows and changes look on the wire and in the maps. Frozen: numbers are never used anew, each form begins with a
 * version byte, and a field is only ever added at the end under a higher version.
 *
 * <p>Rows are immutable records, which Hazelcast's own interfaces for values cannot fill, so they have serializers.
 */
final class WireFormat {

    private static final int SHARD_ROW = 7101;
    private static final int NODE_ROW = 7102;

    private static final byte VERSION = 1;

    private static final byte CLAIM = 1;
    private static final byte HAND_OFF = 2;
    private static final byte RELEASE = 3;
    private static final byte RECLAIM = 4;
    private static final byte RESTORE = 5;

    private WireFormat() {}

    static void register(SerializationConfig config) {
        config.addSerializerConfig(
                new SerializerConfig().setTypeClass(ShardRow.class).setImplementation(new ShardRows()));
        config.addSerializerConfig(
                new SerializerConfig().setTypeClass(NodeRow.class).setImplementation(new NodeRows()));
        config.addDataSerializableFactory(ShardChange.FACTORY, ShardChange::create);
    }

    private static void version(ObjectDataInput in) throws IOException {
        byte version = in.readByte();
        if (version < 1) {
            throw new IOException("version = " + version + " of a row must be >= 1");
        }
    }

    static void writeRow(ObjectDataOutput out, ShardRow row) throws IOException {
        out.writeByte(VERSION);
        out.writeShort(row.shard());
        out.writeString(row.owner());
        out.writeLong(row.epoch());
        out.writeBoolean(row.via() == ShardRow.Via.RELEASE);
        out.writeBoolean(row.state() == ShardRow.State.HANDOFF);
        out.writeString(row.next());
    }

    static ShardRow readRow(ObjectDataInput in) throws IOException {
        version(in);
        int shard = in.readShort();
        @Nullable String owner = in.readString();
        long epoch = in.readLong();
        ShardRow.Via via = in.readBoolean() ? ShardRow.Via.RELEASE : ShardRow.Via.CLAIM;
        ShardRow.State state = in.readBoolean() ? ShardRow.State.HANDOFF : ShardRow.State.OWNED;
        return new ShardRow(shard, owner, epoch, via, state, in.readString());
    }

    static void writeChange(ObjectDataOutput out, RowChange change) throws IOException {
        out.writeByte(VERSION);
        if (change instanceof RowChange.Claim claim) {
            write(out, CLAIM, claim.target(), claim.known());
            out.writeLong(claim.floor());
            out.writeBoolean(claim.asked());
        } else if (change instanceof RowChange.HandOff handOff) {
            write(out, HAND_OFF, handOff.owner(), handOff.epoch());
            out.writeString(handOff.next());
        } else if (change instanceof RowChange.Release release) {
            write(out, RELEASE, release.owner(), release.epoch());
            out.writeString(release.next());
        } else if (change instanceof RowChange.Reclaim reclaim) {
            write(out, RECLAIM, reclaim.owner(), reclaim.epoch());
            out.writeLong(reclaim.floor());
        } else if (change instanceof RowChange.Restore restore) {
            out.writeByte(RESTORE);
            writeRow(out, restore.remembered());
        }
    }

    private static void write(ObjectDataOutput out, byte kind, String who, long epoch) throws IOException {
        out.writeByte(kind);
        out.writeString(who);
        out.writeLong(epoch);
    }

    static RowChange readChange(ObjectDataInput in) throws IOException {
        version(in);
        byte kind = in.readByte();
        return switch (kind) {
            case CLAIM -> new RowChange.Claim(text(in), in.readLong(), in.readLong(), in.readBoolean());
            case HAND_OFF -> new RowChange.HandOff(text(in), in.readLong(), text(in));
            case RELEASE -> new RowChange.Release(text(in), in.readLong(), text(in));
            case RECLAIM -> new RowChange.Reclaim(text(in), in.readLong(), in.readLong());
            case RESTORE -> new RowChange.Restore(readRow(in));
            default -> throw new IOException("kind = " + kind + " of a shard change is unknown; its author is newer");
        };
    }

    private static String text(ObjectDataInput in) throws IOException {
        @Nullable String text = in.readString();
        if (text == null) {
            throw new IOException("a text is missing");
        }
        return text;
    }

    private static final class ShardRows implements StreamSerializer<ShardRow> {
        @Override
        public int getTypeId() {
            return SHARD_ROW;
        }

        @Override
        public void write(ObjectDataOutput out, ShardRow row) throws IOException {
            writeRow(out, row);
        }

        @Override
        public ShardRow read(ObjectDataInput in) throws IOException {
            return readRow(in);
        }
    }

    private static final class NodeRows implements StreamSerializer<NodeRow> {
        @Override
        public int getTypeId() {
            return NODE_ROW;
        }

        @Override
        public void write(ObjectDataOutput out, NodeRow row) throws IOException {
            NodeInfo node = row.node();
            out.writeByte(VERSION);
            out.writeString(node.name());
            out.writeString(node.incarnation());
            out.writeString(node.state().name());
            out.writeInt(node.loops());
            out.writeString(node.role());
            out.writeInt(node.types().size());
            for (String type : node.types()) {
                out.writeString(type);
            }
            out.writeString(node.storeId());
            out.writeString(node.version());
            out.writeLong(row.member().getMostSignificantBits());
            out.writeLong(row.member().getLeastSignificantBits());
            out.writeInt(row.shards());
            out.writeInt(row.prefixes().size());
            for (Map.Entry<String, String> prefix : row.prefixes().entrySet()) {
                out.writeString(prefix.getKey());
                out.writeString(prefix.getValue());
            }
            out.writeString(row.terms());
        }

        @Override
        public NodeRow read(ObjectDataInput in) throws IOException {
            version(in);
            String name = text(in);
            String incarnation = text(in);
            NodeInfo.State state = NodeInfo.State.valueOf(text(in));
            int loops = in.readInt();
            String role = text(in);
            Set<String> types = new LinkedHashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                types.add(text(in));
            }
            NodeInfo node = new NodeInfo(name, incarnation, state, loops, role, types, text(in), text(in));
            UUID member = new UUID(in.readLong(), in.readLong());
            int shards = in.readInt();
            Map<String, String> prefixes = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                prefixes.put(text(in), text(in));
            }
            return new NodeRow(node, member, shards, prefixes, text(in));
        }
    }
}
