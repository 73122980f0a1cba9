package io.meshhub.routing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the message type of a record; without it the simple name of the class is the type.
 *
 * <p>The type travels with the message and chooses the handler, so two records of one hub cannot share one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface MessageType {

    /** The type of a message that is no record and names none. */
    String DEFAULT = "message";

    /** What the types of the mesh's own messages begin with; edges refuse them. */
    String SYSTEM_PREFIX = "mesh.";

    /** The type. */
    String value();

    /** Reads the type of a class. */
    final class Names {

        private static final ClassValue<String> NAMES = new ClassValue<>() {
            @Override
            protected String computeValue(Class<?> type) {
                MessageType named = type.getAnnotation(MessageType.class);
                return named == null ? type.getSimpleName() : named.value();
            }
        };

        private Names() {}

        /** The message type of a record's class. */
        public static String of(Class<?> type) {
            return NAMES.get(type);
        }

        /** The message type of a body: that of its class for a record, else {@link MessageType#DEFAULT}. */
        public static String ofBody(MeshBody body) {
            return body.recordType().orElse(DEFAULT);
        }

        /** Whether the type is one of the mesh's own. */
        public static boolean isSystem(String type) {
            return type.startsWith(SYSTEM_PREFIX);
        }
    }
}
