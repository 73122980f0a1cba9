package io.meshhub.testkit;

import io.meshhub.cluster.ClusterNode;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.Mesh;
import java.security.CodeSource;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where code comes from. */
final class Origin {

    private static final Set<String> MESH = Stream.of(Mesh.class, ClusterNode.class, MeshHub.class)
            .map(Origin::place)
            .collect(Collectors.toUnmodifiableSet());

    private Origin() {}

    /** The class that a lambda stands in, or the class itself. */
    static String of(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : name.substring(0, lambda);
    }

    /** Whether it is code of the mesh itself. */
    static boolean isMesh(Class<?> type) {
        return MESH.contains(place(type));
    }

    private static String place(Class<?> type) {
        @Nullable CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? "the JDK" : String.valueOf(source.getLocation());
    }
}
