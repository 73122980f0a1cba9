package io.meshhub.bench.pekko;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** What the entity is sent and answers with. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
final class Messages {

    private Messages() {}

    /** Anything that the entity takes. */
    sealed interface ToEntity {}

    /** Bytes, which a serializer of ours writes as they are: the least that Pekko can be asked to do. */
    record Bytes(byte[] payload, ActorRef<BytesReply> replyTo) implements ToEntity {}

    /** Asks for the port of the node on which the entity lives. */
    record Where(ActorRef<String> replyTo) implements ToEntity {}

    /** The answer to {@link Bytes}. */
    record BytesReply(byte[] payload) {}

    /** A document, which Pekko's Jackson serializer writes as CBOR. */
    record Document(Order order, ActorRef<DocumentReply> replyTo) implements ToEntity {}

    /** The answer to {@link Document}. */
    record DocumentReply(Order order) {}

    /** About 1 KB. */
    record Order(String customer, List<Item> items) {}

    /** One line of an order. */
    record Item(String item, int quantity, double price, String note) {}
}
