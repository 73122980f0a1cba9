package io.meshhub.routing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.EncodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.DatabindCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message or of a reply: nothing, JSON, a buffer, a string, a number, a boolean or a Java record.
 *
 * <p>A body is taken over when it is made: JSON and buffers are copied, the rest is immutable. On the own node it is
 * handed over as it is; to another node it travels as bytes that are made once, when the message is sent. It is read on
 * arrival, as the class that the receiver asks for.
 */
public final class MeshBody {

    /** How a body travels. */
    public enum Kind {
        /** Nothing. */
        NULL(0),
        /** A JSON object. */
        OBJECT(1),
        /** A JSON array. */
        ARRAY(2),
        /** Bytes. */
        BUFFER(3),
        /** A string, in UTF-8. */
        STRING(4),
        /** A whole number of 64 bits. */
        INTEGER(5),
        /** A floating-point number. */
        DECIMAL(6),
        /** True or false. */
        BOOLEAN(7),
        /** A Java record (or any class that Jackson writes), as JSON under the name of its message type. */
        RECORD(8);

        // Each call of values() makes a copy.
        private static final Kind[] ALL = values();

        private final int wire;

        Kind(int wire) {
            this.wire = wire;
        }

        /** The number that stands for this kind on the wire. */
        int wire() {
            return wire;
        }

        private static Kind ofWire(int number) {
            for (Kind kind : ALL) {
                if (kind.wire == number) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("body of a kind that this node does not know: " + number);
        }

        private void checkLength(int length) {
            int wanted =
                    switch (this) {
                        case NULL -> 0;
                        case BOOLEAN -> 1;
                        case INTEGER, DECIMAL -> 8;
                        case OBJECT, ARRAY, BUFFER, STRING, RECORD -> length;
                    };
            if (length != wanted) {
                throw new IllegalArgumentException(
                        "body of kind " + word() + " with " + length + " bytes; it takes " + wanted);
            }
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** No body. */
    public static final MeshBody NULL = new MeshBody(Kind.NULL, null, null, new byte[0]);

    private static final ObjectMapper MAPPER =
            DatabindCodec.mapper().copy().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final int ENTRY_HINT = 32;
    private static final int RECORD_HINT = 256;

    private final Kind kind;
    private final @Nullable String recordType;
    private final @Nullable Object value;
    private byte @Nullable [] bytes;

    private MeshBody(Kind kind, @Nullable String recordType, @Nullable Object value, byte @Nullable [] bytes) {
        this.kind = kind;
        this.recordType = recordType;
        this.value = value;
        this.bytes = bytes;
    }

    /**
     * About how many bytes it takes, without encoding it: exact for what is encoded already and for buffers, else an
     * estimate. Never negative.
     */
    public int sizeHint() {
        byte[] encoded = bytes;
        if (encoded != null) {
            return encoded.length;
        }
        if (value instanceof String text) {
            return text.length();
        }
        if (value instanceof JsonObject json) {
            return ENTRY_HINT * (1 + json.size());
        }
        if (value instanceof JsonArray json) {
            return ENTRY_HINT * (1 + json.size());
        }
        return kind == Kind.RECORD ? RECORD_HINT : Long.BYTES;
    }

    /** Takes over a value; a {@link MeshBody} stays as it is. */
    public static MeshBody of(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        if (value instanceof MeshBody body) {
            return body;
        }
        if (value instanceof Buffer buffer) {
            return new MeshBody(Kind.BUFFER, null, null, buffer.getBytes());
        }
        if (value instanceof JsonObject json) {
            return new MeshBody(Kind.OBJECT, null, json.copy(), null);
        }
        if (value instanceof JsonArray json) {
            return new MeshBody(Kind.ARRAY, null, json.copy(), null);
        }
        if (value instanceof String || value instanceof Character) {
            return new MeshBody(Kind.STRING, null, value.toString(), null);
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return new MeshBody(Kind.INTEGER, null, ((Number) value).longValue(), null);
        }
        if (value instanceof Double || value instanceof Float) {
            return new MeshBody(Kind.DECIMAL, null, ((Number) value).doubleValue(), null);
        }
        if (value instanceof Boolean) {
            return new MeshBody(Kind.BOOLEAN, null, value, null);
        }
        if (value instanceof byte[] raw) {
            return new MeshBody(Kind.BUFFER, null, null, raw.clone());
        }
        return new MeshBody(Kind.RECORD, MessageType.Names.of(value.getClass()), value, null);
    }

    /**
     * A body as it came over the wire.
     *
     * @throws IllegalArgumentException when no kind has that number, or its values never have that length
     */
    static MeshBody ofWire(int kind, @Nullable String recordType, byte[] bytes) {
        Kind known = Kind.ofWire(kind);
        known.checkLength(bytes.length);
        return new MeshBody(known, recordType, null, bytes);
    }

    /** How the body travels. */
    public Kind kind() {
        return kind;
    }

    /** The message type of a record; empty for every other kind. */
    public Optional<String> recordType() {
        return Optional.ofNullable(recordType);
    }

    /** Whether there is nothing. */
    public boolean isNull() {
        return kind == Kind.NULL;
    }

    /**
     * Reads the body as the given class: {@link JsonObject}, {@link JsonArray}, {@link Buffer}, {@link String}, a number,
     * {@link Boolean}, {@link MeshBody} itself, {@link Object} for whatever it is, or a record. JSON is read as a record
     * and a record as JSON where the fields fit.
     *
     * @return the value; empty when there is no body
     * @throws IllegalArgumentException when the body cannot be read so; the message names both
     */
    public <T> Optional<T> as(Class<T> type) {
        if (type == MeshBody.class) {
            return Optional.of(type.cast(this));
        }
        if (kind == Kind.NULL) {
            return Optional.empty();
        }
        try {
            Object natural = natural();
            if (type.isInstance(natural)) {
                return Optional.of(type.cast(natural));
            }
            return Optional.ofNullable(type.cast(convert(natural, type)));
        } catch (DecodeException | EncodeException | ClassCastException e) {
            throw unreadable(type, e);
        }
    }

    // The value in its own class; a record that came over the wire is still JSON.
    private Object natural() {
        if (value != null) {
            return value;
        }
        byte[] raw = encode();
        return switch (kind) {
            case NULL -> throw new IllegalStateException("no body");
            case OBJECT -> Buffer.buffer(raw).toJsonObject();
            // What Jackson writes for a class that is no record may be any JSON.
            case RECORD -> Json.decodeValue(Buffer.buffer(raw));
            case ARRAY -> Buffer.buffer(raw).toJsonArray();
            case BUFFER -> Buffer.buffer(raw);
            case STRING -> new String(raw, StandardCharsets.UTF_8);
            case INTEGER -> Buffer.buffer(raw).getLong(0);
            case DECIMAL -> Buffer.buffer(raw).getDouble(0);
            case BOOLEAN -> raw[0] != 0;
        };
    }

    private Object convert(Object natural, Class<?> type) {
        if (type == JsonObject.class && kind == Kind.RECORD) {
            return Buffer.buffer(encode()).toJsonObject();
        }
        if (type == JsonArray.class && kind == Kind.RECORD) {
            return Buffer.buffer(encode()).toJsonArray();
        }
        if ((kind == Kind.INTEGER || kind == Kind.DECIMAL) && natural instanceof Number number) {
            return narrow(number, type);
        }
        if (kind == Kind.OBJECT || kind == Kind.ARRAY || kind == Kind.RECORD) {
            if (type == String.class || type == Buffer.class || type == Boolean.class) {
                throw unreadable(type, null);
            }
            try {
                return MAPPER.readValue(encode(), type);
            } catch (IOException e) {
                throw unreadable(type, e);
            }
        }
        throw unreadable(type, null);
    }

    private Object narrow(Number number, Class<?> type) {
        if (type == Long.class && kind == Kind.INTEGER) {
            return number.longValue();
        }
        if (type == Integer.class && kind == Kind.INTEGER && number.intValue() == number.longValue()) {
            return number.intValue();
        }
        if (type == Double.class) {
            return number.doubleValue();
        }
        throw unreadable(type, null);
    }

    private IllegalArgumentException unreadable(Class<?> type, @Nullable Throwable cause) {
        String what = recordType == null ? "a body of kind " + kind.word() : "a body of type '" + recordType + "'";
        String why = cause == null ? "" : ": " + firstLine(String.valueOf(cause.getMessage()));
        return new IllegalArgumentException(
                what + " cannot be read as '" + MessageType.Names.of(type) + "'" + why, cause);
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /**
     * The bytes in which the body travels, made once; they must not be changed.
     *
     * @throws IllegalArgumentException when Jackson cannot write it
     */
    public byte[] encode() {
        byte[] known = bytes;
        if (known == null) {
            try {
                known = toBytes();
            } catch (EncodeException e) {
                throw new IllegalArgumentException(
                        "a body of kind " + kind.word() + " cannot be written: "
                                + firstLine(String.valueOf(e.getMessage())),
                        e);
            }
            bytes = known;
        }
        return known;
    }

    private byte[] toBytes() {
        Object natural = java.util.Objects.requireNonNull(value);
        return switch (kind) {
            case NULL, BUFFER -> throw new IllegalStateException("it has bytes from the start");
            case OBJECT -> ((JsonObject) natural).toBuffer().getBytes();
            case ARRAY -> ((JsonArray) natural).toBuffer().getBytes();
            case STRING -> ((String) natural).getBytes(StandardCharsets.UTF_8);
            case INTEGER -> Buffer.buffer(8).appendLong((Long) natural).getBytes();
            case DECIMAL -> Buffer.buffer(8).appendDouble((Double) natural).getBytes();
            case BOOLEAN -> new byte[] {(byte) ((Boolean) natural ? 1 : 0)};
            case RECORD -> writeRecord(natural);
        };
    }

    private static byte[] writeRecord(Object natural) {
        try {
            return MAPPER.writeValueAsBytes(natural);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "a body of type '" + MessageType.Names.of(natural.getClass()) + "' cannot be written: "
                            + firstLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** A body of its own for one more attempt, so that a receiver that changed the first one does no harm. */
    public MeshBody copy() {
        return kind == Kind.RECORD || value == null ? this : of(value);
    }

    /**
     * The body as a peer without our codecs gets it: JSON, a buffer, a string, a number, a boolean, or null. A record
     * becomes a JSON object.
     *
     * @throws IllegalArgumentException when Jackson cannot write the record, or what came over the wire is no JSON
     */
    public @Nullable Object toPlain() {
        if (kind == Kind.NULL) {
            return null;
        }
        try {
            return kind == Kind.RECORD ? Json.decodeValue(Buffer.buffer(encode())) : natural();
        } catch (DecodeException e) {
            throw unreadable(Object.class, e);
        }
    }

    @Override
    public String toString() {
        return recordType == null ? kind.word() : recordType;
    }
}
