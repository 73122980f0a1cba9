package io.meshhub.cluster.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a key of a settings mapping means and which values it takes. Every method of a mapping that is no section carries
 * one, and a default ({@code @WithDefault}) unless it is an {@code Optional}.
 *
 * <p>The bounds are inclusive and written like a value of the key ({@code "500ms"}, {@code "65535"}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Setting {

    /** One sentence for the reference page. */
    String value();

    /** The least value; empty for none. */
    String min() default "";

    /** The greatest value; empty for none. */
    String max() default "";

    /** A regular expression that the value, or each element of a list, must match whole; empty for none. */
    String pattern() default "";

    /** The pattern in words, as it completes "must be ..."; needed where there is a pattern. */
    String patternRule() default "";

    /** What holds where an {@code Optional} is not set, for the reference page. */
    String absent() default "not set";

    /** Whether the value is never printed. */
    boolean secret() default false;
}
