package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsProblem;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.launcher.client.ExitCodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that begins with reading the settings, and ends with all their problems where there are any. */
abstract class SettingsCommand implements Callable<Integer> {

    @Mixin
    private final SettingsFlags flags = new SettingsFlags();

    @Option(names = "--json", description = "Print JSON on standard output.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    private final SettingsSources process;

    SettingsCommand(SettingsSources process) {
        this.process = process;
    }

    /** Goes on with settings that are good; returns the exit code. */
    abstract int run(Settings<MeshHubSettings> settings) throws Exception;

    @Override
    public final Integer call() throws Exception {
        try {
            return run(flags.load(process));
        } catch (SettingsException e) {
            return report(e.problems());
        } finally {
            out().flush();
            err().flush();
        }
    }

    private int report(List<SettingsProblem> problems) {
        if (json) {
            JsonArray array = new JsonArray();
            problems.forEach(problem -> array.add(problem.toJson()));
            out().println(new JsonObject().put("problems", array).encode());
        }
        String count = problems.size() == 1 ? "1 setting is wrong" : problems.size() + " settings are wrong";
        err().println("meshhub: " + count + "; nothing was started:");
        problems.forEach(problem -> err().println("  " + problem));
        return ExitCodes.CONFIGURATION;
    }

    final boolean json() {
        return json;
    }

    final PrintWriter out() {
        return command().commandLine().getOut();
    }

    final PrintWriter err() {
        return command().commandLine().getErr();
    }

    private CommandSpec command() {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by the command line");
        }
        return spec;
    }
}
