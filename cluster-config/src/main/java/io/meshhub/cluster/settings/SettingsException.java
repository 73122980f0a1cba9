package io.meshhub.cluster.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The settings are not usable; carries every problem that was found, in the order of the keys. */
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<SettingsProblem> problems;

    SettingsException(List<SettingsProblem> problems) {
        super(problems.stream().map(SettingsProblem::toString).collect(Collectors.joining("\n")), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** The problems; at least one. */
    public List<SettingsProblem> problems() {
        return problems;
    }
}
