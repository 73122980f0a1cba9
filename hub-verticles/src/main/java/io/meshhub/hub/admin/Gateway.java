package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.MessageType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code /mesh/<address>}: every address over HTTP.
 *
 * <p>GET, PUT, PATCH and DELETE become the message types of a node; POST sends any other, named by its header. GET of
 * events follows what the address publishes.
 */
final class Gateway {

    /** The field under which the version that a change expects travels to the hub. */
    static final String IF_VERSION = "ifVersion";

    private static final int MAX_TYPE_LENGTH = 128;

    private final MeshCalls calls;
    private final Listings listings;
    private final EventStreams events;

    Gateway(MeshCalls calls, Listings listings, EventStreams events) {
        this.calls = calls;
        this.listings = listings;
        this.events = events;
    }

    void get(RoutingContext ctx) {
        MeshAddress address = MeshPath.address(ctx.request().path());
        if (EventStreams.isAsked(ctx.request())) {
            events.follow(ctx, address);
            return;
        }
        QueryParameters query = QueryParameters.of(ctx, Listings.PARAMETERS);
        if (Listings.isAsked(query)) {
            listings.list(ctx, address, query);
            return;
        }
        calls.ask(ctx, address, GatewayMethods.GET, MeshBody.NULL, true, reply -> document(ctx, 200, reply));
    }

    /** {@code /mesh} itself is no address: only what lies below it can be listed. */
    void root(RoutingContext ctx) {
        QueryParameters query = QueryParameters.of(ctx, Listings.PARAMETERS);
        if (!Listings.isAsked(query)) {
            throw Problem.rejected("'" + MeshPath.ROOT + "' names no address; '" + MeshPath.ROOT
                    + "?children' lists what lies below it");
        }
        listings.list(ctx, null, query);
    }

    void put(RoutingContext ctx) {
        MeshAddress address = target(ctx);
        requireJson(ctx, "a node is put as application/json");
        JsonObject node = JsonBodies.object(body(ctx));
        expect(node, Preconditions.expected(ctx.request(), true));
        calls.ask(ctx, address, GatewayMethods.PUT, MeshBody.of(node), false, reply -> put(ctx, reply));
    }

    private static void put(RoutingContext ctx, MeshReply reply) {
        boolean created = reply.body().kind() == MeshBody.Kind.OBJECT
                && Boolean.TRUE.equals(object(reply.body()).getValue("created"));
        if (created) {
            ctx.response().putHeader(HttpHeaders.LOCATION, ctx.request().path());
        }
        document(ctx, created ? 201 : 200, reply);
    }

    void patch(RoutingContext ctx) {
        MeshAddress address = target(ctx);
        String media = MediaTypes.of(ctx.request());
        String format =
                switch (String.valueOf(media)) {
                    case "application/merge-patch+json", MediaTypes.JSON -> "merge-patch";
                    case "application/json-patch+json" -> "json-patch";
                    default ->
                        throw Problem.mediaType(
                                media, "a patch is application/merge-patch+json or application/json-patch+json");
                };
        JsonObject message = new JsonObject().put("format", format).put("patch", JsonBodies.any(body(ctx)));
        expect(message, Preconditions.expected(ctx.request(), false));
        calls.ask(ctx, address, GatewayMethods.PATCH, MeshBody.of(message), false, reply -> document(ctx, 200, reply));
    }

    void delete(RoutingContext ctx) {
        MeshAddress address = target(ctx);
        if (body(ctx).length() > 0) {
            throw Problem.rejected("A deletion takes no body; a version is expected by 'If-Match'");
        }
        OptionalLong expected = Preconditions.expected(ctx.request(), false);
        JsonObject message = new JsonObject();
        expect(message, expected);
        MeshBody body = expected.isPresent() ? MeshBody.of(message) : MeshBody.NULL;
        calls.ask(ctx, address, GatewayMethods.DELETE, body, false, reply -> Answers.empty(ctx, 204));
    }

    void post(RoutingContext ctx) {
        MeshAddress address = target(ctx);
        String type = messageType(ctx);
        calls.ask(ctx, address, type, message(ctx), false, reply -> Answers.reply(ctx, 200, reply.body()));
    }

    private static String messageType(RoutingContext ctx) {
        String type = ctx.request().getHeader(EdgeHeaders.MESSAGE_TYPE);
        if (type == null || type.isBlank()) {
            throw Problem.rejected("Header '" + EdgeHeaders.MESSAGE_TYPE + "' is missing: it names the message type");
        }
        if (type.length() > MAX_TYPE_LENGTH) {
            throw Problem.rejected("Header '" + EdgeHeaders.MESSAGE_TYPE + "' has " + type.length()
                    + " characters; a message type has at most " + MAX_TYPE_LENGTH);
        }
        if (MessageType.Names.isSystem(type)) {
            throw Problem.rejected("Message type '" + type + "' was refused: types that begin with '"
                    + MessageType.SYSTEM_PREFIX + "' are the mesh's own");
        }
        return type;
    }

    private static MeshBody message(RoutingContext ctx) {
        Buffer body = body(ctx);
        String media = MediaTypes.of(ctx.request());
        if (media == null) {
            return body.length() == 0 ? MeshBody.NULL : MeshBody.of(body);
        }
        if (MediaTypes.isJson(media)) {
            return number(JsonBodies.any(body));
        }
        return switch (media) {
            case MediaTypes.TEXT -> MeshBody.of(text(body));
            case MediaTypes.BYTES -> MeshBody.of(body);
            default ->
                throw Problem.mediaType(media, "a message is application/json, text/plain or application/octet-stream");
        };
    }

    private static MeshBody number(@Nullable Object json) {
        if (json instanceof java.math.BigInteger) {
            throw Problem.rejected("The body is a whole number of more than 64 bits");
        }
        return MeshBody.of(json);
    }

    private static String text(Buffer body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.rejected("The body is no text in UTF-8");
        }
    }

    private static MeshAddress target(RoutingContext ctx) {
        MeshAddress address = MeshPath.address(ctx.request().path());
        QueryParameters.of(ctx);
        return address;
    }

    private static Buffer body(RoutingContext ctx) {
        Buffer body = ctx.body().buffer();
        return body == null ? Buffer.buffer() : body;
    }

    private static void requireJson(RoutingContext ctx, String taken) {
        String media = MediaTypes.of(ctx.request());
        if (!MediaTypes.JSON.equals(media)) {
            throw Problem.mediaType(media, taken);
        }
    }

    private static void expect(JsonObject message, OptionalLong version) {
        if (version.isEmpty()) {
            return;
        }
        Object given = message.getValue(IF_VERSION);
        if (given != null && !given.equals(version.getAsLong()) && !given.equals((int) version.getAsLong())) {
            throw Problem.rejected(
                    "The body expects version " + given + " and the headers expect version " + version.getAsLong());
        }
        message.put(IF_VERSION, version.getAsLong());
    }

    /** A reply that is the document of a node carries its version as entity tag. */
    private static void document(RoutingContext ctx, int status, MeshReply reply) {
        HttpServerResponse response = ctx.response();
        if (reply.body().kind() == MeshBody.Kind.OBJECT
                && object(reply.body()).getValue("version") instanceof Number version) {
            response.putHeader(HttpHeaders.ETAG, Preconditions.tag(version.longValue()));
            HttpMethod method = ctx.request().method();
            if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
                // May be kept, and is asked about each time.
                response.putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
                if (Preconditions.isHeld(ctx.request(), version.longValue())) {
                    Answers.empty(ctx, 304);
                    return;
                }
            }
        }
        Answers.reply(ctx, status, reply.body());
    }

    private static JsonObject object(MeshBody body) {
        return body.as(JsonObject.class).orElseGet(JsonObject::new);
    }
}
