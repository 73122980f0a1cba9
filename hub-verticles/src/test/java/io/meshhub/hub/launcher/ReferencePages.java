package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.SettingsKey;
import java.util.Map;
import picocli.CommandLine;

/** Writes the reference pages from the settings mapping and the command line. */
final class ReferencePages {

    private static final String GENERATED = "<!-- Generated: mvn -pl hub-verticles -am test -Dtest=ReferencePagesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write=true -->\n";

    private ReferencePages() {}

    static String configuration() {
        StringBuilder page = new StringBuilder("# Configuration\n\n").append(GENERATED);
        page.append("""

                A node reads its settings from, weakest first: the defaults below, the file (`conf/meshhub.yaml`, or the
                one named by `--config` or `MESHHUB_CONFIG`), variables of the environment, system properties
                (`-Dmeshhub.http.port=8081`), and flags (`--set http.port=8081`; the common ones have names of their own).
                A key of `http.port` is `port` below `http` in the file, and `MESHHUB_HTTP_PORT` in the environment.

                All problems are told at once, each with key, value, origin and rule, and the exit code is 78; a key that
                does not exist is a problem. `meshhub config show` prints what is in force and where it comes from.

                A duration is a whole number with its unit (`500ms`, `30s`, `5m`, `1h`, `1d`), a size likewise (`512B`,
                `64KiB`, `4MiB`, `1GiB`). A list in a variable or a flag is separated by commas.
                """);
        String section = "";
        for (SettingsKey key : SettingsRules.loader().keys()) {
            int dot = key.name().indexOf('.');
            String next = dot < 0 ? "data" : key.name().substring(0, dot);
            if (!next.equals(section)) {
                section = next;
                page.append("\n## ")
                        .append(section)
                        .append("\n\n| key | type | default | meaning |\n|---|---|---|---|\n");
            }
            page.append(row(key));
        }
        return page.toString();
    }

    private static String row(SettingsKey key) {
        String value = key.defaultValue()
                .map(text -> "`" + text + "`")
                .orElse(key.setting().absent());
        String range = range(key);
        return "| `" + key.name() + "` | " + key.typeName() + (range.isEmpty() ? "" : ", " + range) + " | " + value
                + " | " + key.setting().value() + (key.setting().secret() ? " Never printed." : "") + " |\n";
    }

    private static String range(SettingsKey key) {
        String min = key.setting().min();
        String max = key.setting().max();
        if (min.isEmpty()) {
            return max.isEmpty() ? "" : "at most " + max;
        }
        return max.isEmpty() ? "at least " + min : min + " to " + max;
    }

    static String commandLine(CommandLine root) {
        StringBuilder page = new StringBuilder("# Command line\n\n").append(GENERATED);
        page.append("\n`scripts/meshhub` runs it. Client commands talk HTTP to a node (`--url`, `MESHHUB_URL`).\n");
        usage(page, root, "meshhub");
        return page.toString();
    }

    private static void usage(StringBuilder page, CommandLine command, String name) {
        command.getCommandSpec().usageMessage().autoWidth(false).width(100);
        String usage = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
        page.append("\n## ").append(name).append("\n\n```text\n");
        usage.lines().forEach(line -> page.append(line.stripTrailing()).append('\n'));
        page.append("```\n");
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            if (!sub.getKey().equals("help")) {
                usage(page, sub.getValue(), name + " " + sub.getKey());
            }
        }
    }
}
