package io.meshhub.hub.admin;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Versions of nodes as entity tags: {@code "7"}. */
final class Preconditions {

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"([^\"]*)\"");
    private static final Pattern VERSION = Pattern.compile("\"(\\d{1,18})\"");

    private Preconditions() {}

    static String tag(long version) {
        return "\"" + version + "\"";
    }

    /** Whether the client already holds that version, so that 304 is the answer. */
    static boolean isHeld(HttpServerRequest request, long version) {
        String held = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        if (held == null) {
            return false;
        }
        if (held.trim().equals("*")) {
            return true;
        }
        Matcher tags = TAG.matcher(held);
        while (tags.find()) {
            if (tags.group(1).equals(Long.toString(version))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The version that the client expects to change: 0 for one that must not exist yet.
     *
     * @param creates whether {@code If-None-Match: *} makes sense for the request
     * @throws Problem when it is said in another way than one strong tag, or twice
     */
    static OptionalLong expected(HttpServerRequest request, boolean creates) {
        String match = request.getHeader(HttpHeaders.IF_MATCH);
        String noneMatch = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        if (noneMatch != null && (!creates || match != null || !noneMatch.trim().equals("*"))) {
            String why =
                    match != null ? "cannot stand beside 'If-Match'" : creates ? "may only be '*'" : "has no meaning";
            throw Problem.rejected("Header 'If-None-Match' = '" + noneMatch + "' " + why + " in " + request.method());
        }
        if (noneMatch != null) {
            return OptionalLong.of(0);
        }
        return match == null ? OptionalLong.empty() : OptionalLong.of(version(match));
    }

    private static long version(@Nullable String match) {
        Matcher version = VERSION.matcher(match == null ? "" : match.trim());
        if (!version.matches()) {
            throw Problem.rejected("Header 'If-Match' = '" + match + "' must be one version in double quotes");
        }
        return Long.parseLong(version.group(1));
    }
}
