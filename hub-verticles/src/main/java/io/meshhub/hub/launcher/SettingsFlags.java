package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that set settings; values stay text, so that all problems are found in one place and told at once. */
final class SettingsFlags {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "${env:MESHHUB_CONFIG}",
            description = "The settings file; also MESHHUB_CONFIG (default: conf/meshhub.yaml where it exists).")
    private @Nullable Path config;

    @Option(names = "--node", paramLabel = "NAME", description = "Sets cluster.node.")
    private @Nullable String node;

    @Option(names = "--data", paramLabel = "DIR", description = "Sets data.")
    private @Nullable String data;

    @Option(names = "--store", paramLabel = "KIND", description = "Sets store.kind: sqlite or memory.")
    private @Nullable String store;

    @Option(names = "--http-host", paramLabel = "HOST", description = "Sets http.host.")
    private @Nullable String httpHost;

    @Option(names = "--http-port", paramLabel = "PORT", description = "Sets http.port.")
    private @Nullable String httpPort;

    @Option(names = "--hazelcast-port", paramLabel = "PORT", description = "Sets cluster.hazelcast.port.")
    private @Nullable String hazelcastPort;

    @Option(names = "--bus-port", paramLabel = "PORT", description = "Sets cluster.bus.port.")
    private @Nullable String busPort;

    @Option(names = "--join", paramLabel = "HOW", description = "Sets cluster.join: none, tcp or kubernetes.")
    private @Nullable String join;

    @Option(
            names = "--seed",
            paramLabel = "HOST[:PORT]",
            description = "Adds a peer to cluster.seeds; repeat it for more.")
    private List<String> seeds = List.of();

    @Option(names = "--quorum", paramLabel = "N", description = "Sets cluster.quorum.")
    private @Nullable String quorum;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets any key; repeat it for more.")
    private List<String> set = List.of();

    /** Reads the settings of this command line. */
    Settings<MeshHubSettings> load(SettingsSources process) throws SettingsException {
        SettingsSources sources = process.withFlags(flags());
        return SettingsRules.loader()
                .load(
                        config == null || config.toString().isEmpty()
                                ? sources.withFileIfPresent(SettingsRules.DEFAULT_FILE)
                                : sources.withFile(config));
    }

    private List<SettingsFlag> flags() {
        List<SettingsFlag> flags = new ArrayList<>();
        add(flags, "cluster.node", "--node", node);
        add(flags, "data", "--data", data);
        add(flags, "store.kind", "--store", store);
        add(flags, "http.host", "--http-host", httpHost);
        add(flags, "http.port", "--http-port", httpPort);
        add(flags, "cluster.hazelcast.port", "--hazelcast-port", hazelcastPort);
        add(flags, "cluster.bus.port", "--bus-port", busPort);
        add(flags, "cluster.join", "--join", join);
        add(flags, "cluster.seeds", "--seed", seeds.isEmpty() ? null : String.join(",", seeds));
        add(flags, "cluster.quorum", "--quorum", quorum);
        for (String pair : set) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            add(flags, key, "--set", equals < 0 ? "" : pair.substring(equals + 1));
        }
        return flags;
    }

    private static void add(List<SettingsFlag> flags, String key, String option, @Nullable String value) {
        if (value != null) {
            flags.add(new SettingsFlag(key, option, value));
        }
    }
}
