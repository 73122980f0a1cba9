package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.launcher.client.ExitCodes;
import picocli.CommandLine.Command;

/** {@code meshhub config show}: prints the settings in force, each with its origin. */
@Command(
        name = "show",
        description = "Print every setting in force and where it comes from; secrets as ***.",
        footer = {
            "",
            "Examples:",
            "  meshhub config show",
            "  MESHHUB_HTTP_PORT=8081 meshhub config show --set hub.mailbox=64",
            "  meshhub config show --json | jq '.settings[] | select(.origin != \"default\")'"
        })
final class ConfigCommand extends SettingsCommand {

    ConfigCommand(SettingsSources process) {
        super(process);
    }

    @Override
    int run(Settings<MeshHubSettings> settings) {
        out().print(json() ? settings.toJson().encode() + System.lineSeparator() : settings.toText());
        return ExitCodes.OK;
    }
}
