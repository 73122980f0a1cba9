package io.meshhub.hub.admin;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The content types that the gateway takes, and how they are read from a request. */
final class MediaTypes {

    static final String JSON = "application/json";
    static final String TEXT = "text/plain";
    static final String BYTES = "application/octet-stream";

    private MediaTypes() {}

    /**
     * The content type without its parameters, in lower case; null when there is none.
     *
     * @throws Problem when it names a charset other than UTF-8
     */
    static @Nullable String of(HttpServerRequest request) {
        String given = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (given == null || given.isBlank()) {
            return null;
        }
        String[] parts = given.toLowerCase(Locale.ROOT).split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].replace("\"", "").trim();
            boolean other = parameter.startsWith("charset=")
                    && !parameter.equals("charset=utf-8")
                    && !parameter.equals("charset=us-ascii");
            if (other) {
                throw Problem.mediaType(given, "text is taken in UTF-8");
            }
        }
        return parts[0].trim();
    }

    static boolean isJson(String media) {
        return media.equals(JSON) || (media.startsWith("application/") && media.endsWith("+json"));
    }

    /** Whether a body is a form, which the reader of bodies would take apart before anybody could refuse it. */
    static boolean isForm(@Nullable String media) {
        return media != null && (media.startsWith("multipart/") || media.equals("application/x-www-form-urlencoded"));
    }
}
