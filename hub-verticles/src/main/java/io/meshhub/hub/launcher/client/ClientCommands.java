package io.meshhub.hub.launcher.client;

import picocli.CommandLine;

/** Adds the client commands to a command line. */
public final class ClientCommands {

    private ClientCommands() {}

    /** Adds all of them, in the order in which the help lists them. */
    public static void addTo(CommandLine commandLine) {
        commandLine
                .addSubcommand(new ImportCommand())
                .addSubcommand(new GetCommand())
                .addSubcommand(new PutCommand())
                .addSubcommand(new PatchCommand())
                .addSubcommand(new DeleteCommand())
                .addSubcommand(new LsCommand())
                .addSubcommand(new QueryCommand())
                .addSubcommand(new WatchCommand())
                .addSubcommand(new PingCommand())
                .addSubcommand(new RecycleCommand())
                .addSubcommand(new MembersCommand())
                .addSubcommand(new CommandLine(new AccessCommand()).addSubcommand(new ExplainCommand()));
    }
}
