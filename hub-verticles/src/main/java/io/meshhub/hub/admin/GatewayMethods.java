package io.meshhub.hub.admin;

import io.vertx.core.http.HttpMethod;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;

/** Which HTTP method stands for which message type at the gateway. */
final class GatewayMethods {

    static final String GET = "get";
    static final String PUT = "put";
    static final String PATCH = "patch";
    static final String DELETE = "delete";

    private static final Map<String, HttpMethod> BY_TYPE = Map.of(
            GET, HttpMethod.GET,
            PUT, HttpMethod.PUT,
            PATCH, HttpMethod.PATCH,
            DELETE, HttpMethod.DELETE);

    private GatewayMethods() {}

    /** The methods that a hub which handles these types takes; any other type can be posted. */
    static String allowedFor(Collection<String> types) {
        TreeSet<String> methods = new TreeSet<>();
        for (String type : types) {
            methods.add(BY_TYPE.getOrDefault(type, HttpMethod.POST).name());
        }
        return String.join(", ", methods);
    }
}
