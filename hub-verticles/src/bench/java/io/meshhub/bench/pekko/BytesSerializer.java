package io.meshhub.bench.pekko;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Writes bytes as they are, behind the path of who waits for the answer. */
public final class BytesSerializer extends SerializerWithStringManifest {

    private static final String ASK = "a";
    private static final String REPLY = "r";
    private static final String WHERE = "w";

    private final ActorRefResolver references;

    /** Called by Pekko. */
    public BytesSerializer(ExtendedActorSystem system) {
        this.references = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return 4711;
    }

    @Override
    public String manifest(Object message) {
        if (message instanceof Messages.Where) {
            return WHERE;
        }
        return message instanceof Messages.Bytes ? ASK : REPLY;
    }

    @Override
    public byte[] toBinary(Object message) {
        if (message instanceof Messages.Bytes ask) {
            byte[] replyTo = references.toSerializationFormat(ask.replyTo()).getBytes(StandardCharsets.US_ASCII);
            return ByteBuffer.allocate(4 + replyTo.length + ask.payload().length)
                    .putInt(replyTo.length)
                    .put(replyTo)
                    .put(ask.payload())
                    .array();
        }
        if (message instanceof Messages.Where where) {
            return references.toSerializationFormat(where.replyTo()).getBytes(StandardCharsets.US_ASCII);
        }
        return ((Messages.BytesReply) message).payload();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        if (manifest.equals(REPLY)) {
            return new Messages.BytesReply(bytes);
        }
        if (manifest.equals(WHERE)) {
            return new Messages.Where(references.resolveActorRef(new String(bytes, StandardCharsets.US_ASCII)));
        }
        int length = ByteBuffer.wrap(bytes).getInt();
        String replyTo = new String(bytes, 4, length, StandardCharsets.US_ASCII);
        return new Messages.Bytes(
                Arrays.copyOfRange(bytes, 4 + length, bytes.length), references.resolveActorRef(replyTo));
    }
}
