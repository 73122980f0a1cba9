package io.meshhub.hub.launcher.client;

import io.meshhub.routing.MeshAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A client command about one address. */
abstract class NodeCommand extends ClientCommand {

    @Parameters(
            index = "0",
            paramLabel = "ADDRESS",
            converter = AddressConverter.class,
            description = "The address, such as iso/CH.")
    private @Nullable MeshAddress address;

    final MeshAddress address() {
        if (address == null) {
            throw usage("ADDRESS is missing");
        }
        return address;
    }

    final String path() {
        return MeshHttp.path(address());
    }
}
