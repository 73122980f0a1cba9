package io.meshhub.hub.launcher.client;

import picocli.CommandLine.Command;

/** {@code meshhub access}: holds what is asked about who may do what. */
@Command(name = "access", description = "Ask who may do what.", synopsisSubcommandLabel = "COMMAND")
final class AccessCommand {}
