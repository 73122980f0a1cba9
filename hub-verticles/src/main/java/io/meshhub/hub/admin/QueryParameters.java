package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The query parameters of one request, each known to its route and given at most once. */
final class QueryParameters {

    private final MultiMap values;

    private QueryParameters(MultiMap values) {
        this.values = values;
    }

    /**
     * Reads them all.
     *
     * @throws Problem naming every one that the route does not know, or that is given more than once
     */
    static QueryParameters of(RoutingContext ctx, String... known) {
        MultiMap values;
        try {
            values = ctx.queryParams();
        } catch (HttpException | IllegalArgumentException e) {
            throw Problem.rejected("The query '" + ctx.request().query() + "' is not percent-encoded UTF-8");
        }
        Set<String> unknown = new TreeSet<>(values.names());
        unknown.removeAll(List.of(known));
        if (!unknown.isEmpty()) {
            String taken = known.length == 0 ? "none is" : "known are " + List.of(known);
            throw Problem.rejected("Query parameters " + unknown + " are not known here; " + taken)
                    .with("parameters", List.copyOf(unknown));
        }
        for (String name : values.names()) {
            if (values.getAll(name).size() > 1) {
                throw Problem.rejected("Query parameter '" + name + "' is given "
                                + values.getAll(name).size() + " times; it may be given once")
                        .with("parameters", List.of(name));
            }
        }
        return new QueryParameters(values);
    }

    boolean has(String name) {
        return values.contains(name);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Whether a flag is set: {@code true} or {@code false}, and false when it is not given. */
    boolean flag(String name) {
        String text = values.get(name);
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw Problem.rejected("Query parameter '" + name + "' = '" + text + "' must be true or false")
                .with("parameters", List.of(name));
    }

    /** A whole number from 1 to the bound. */
    int count(String name, int otherwise, int max) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= 1 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, like a number out of its range.
        }
        throw Problem.rejected(
                        "Query parameter '" + name + "' = '" + text + "' must be a whole number between 1 and " + max)
                .with("parameters", List.of(name));
    }

    /** The address that a route cannot do without. */
    MeshAddress address(String name) {
        return MeshAddress.of(text(name)
                .orElseThrow(() -> Problem.rejected("Query parameter '" + name + "' is missing: it names the address")
                        .with("parameters", List.of(name))));
    }
}
