package io.meshhub.cluster.settings;

import java.nio.file.Path;

/**
 * Where the value of a setting comes from.
 *
 * @param kind the kind of source; a later kind wins over an earlier one
 * @param name the file, the variable, the property or the option; empty for a default
 * @param line the line in the file, counted from 1; 0 where there is none
 */
public record SettingsOrigin(Kind kind, String name, int line) {

    /** Kinds of source, from the weakest to the strongest. */
    public enum Kind {
        /** Declared by the mapping. */
        DEFAULT,
        /** The settings file. */
        FILE,
        /** A variable of the environment. */
        ENVIRONMENT,
        /** A system property of the JVM. */
        PROPERTY,
        /** An option of the command line. */
        FLAG
    }

    static final SettingsOrigin DEFAULT = new SettingsOrigin(Kind.DEFAULT, "", 0);

    static SettingsOrigin file(Path file, int line) {
        return new SettingsOrigin(Kind.FILE, file.toString(), line);
    }

    static SettingsOrigin environment(String variable) {
        return new SettingsOrigin(Kind.ENVIRONMENT, variable, 0);
    }

    static SettingsOrigin property(String property) {
        return new SettingsOrigin(Kind.PROPERTY, property, 0);
    }

    static SettingsOrigin flag(String option) {
        return new SettingsOrigin(Kind.FLAG, option, 0);
    }

    /** The origin as it completes "from ...". */
    @Override
    public String toString() {
        return switch (kind) {
            case DEFAULT -> "default";
            case FILE -> line == 0 ? name : name + " line " + line;
            case ENVIRONMENT -> "env " + name;
            case PROPERTY -> "-D" + name;
            case FLAG -> "flag " + name;
        };
    }
}
