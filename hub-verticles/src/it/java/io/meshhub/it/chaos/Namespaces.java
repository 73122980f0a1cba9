package io.meshhub.it.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A network namespace per process, each on one bridge by a pair of interfaces. A link is cut by giving each of its ends a
 * wrong hardware address of the other: packets are sent and nobody takes them, as with a broken cable; nobody is told.
 */
final class Namespaces implements Wiring {

    /** What a run or a test says that skips something. */
    static final String MISSING =
            "no link can be cut, since network namespaces are not to be had here (they need root and iproute2)";

    private static final int PORT = 5701;
    private static final String NOBODY = "02:00:00:00:fe:fe";

    private final String bridge;
    private final String network;
    private final List<String> processes;
    private final Set<Set<String>> cuts = new HashSet<>();

    private Namespaces(String bridge, String network, List<String> processes) {
        this.bridge = bridge;
        this.network = network;
        this.processes = List.copyOf(processes);
    }

    /** Whether this machine allows them. */
    static boolean areAllowed() {
        Optional<Namespaces> made = tryOpen(List.of("probe"));
        made.ifPresent(Namespaces::close);
        return made.isPresent();
    }

    /** Makes them; empty when this machine does not allow it. */
    static Optional<Namespaces> tryOpen(List<String> processes) {
        long pid = ProcessHandle.current().pid();
        Namespaces made = new Namespaces(
                "mesh" + pid % 100_000, "10." + (200 + pid % 50) + "." + pid / 50 % 250 + ".", processes);
        try {
            made.open();
            return Optional.of(made);
        } catch (IllegalStateException e) {
            made.close();
            return Optional.empty();
        }
    }

    private void open() {
        Commands.run("ip", "link", "add", bridge, "type", "bridge");
        Commands.run("ip", "link", "set", bridge, "up");
        for (String process : processes) {
            String space = space(process);
            Commands.run("ip", "netns", "add", space);
            Commands.run("ip", "-n", space, "link", "set", "lo", "up");
            Commands.run("ip", "link", "add", space, "type", "veth", "peer", "name", "eth0", "netns", space);
            Commands.run("ip", "link", "set", space, "master", bridge, "up");
            Commands.run("ip", "-n", space, "address", "add", host(process) + "/24", "dev", "eth0");
            Commands.run("ip", "-n", space, "link", "set", "eth0", "up");
        }
    }

    private String space(String process) {
        return bridge + "-" + process.charAt(0) + processes.indexOf(process);
    }

    @Override
    public String describe() {
        return "network namespaces on bridge " + bridge + ": links can be cut";
    }

    @Override
    public boolean canCut() {
        return true;
    }

    @Override
    public String host(String process) {
        return network + (processes.indexOf(process) + 1);
    }

    @Override
    public int port(String process) {
        return PORT;
    }

    @Override
    public List<String> prefix(String process) {
        return List.of("ip", "netns", "exec", space(process));
    }

    @Override
    public void cut(String one, String other) {
        if (cuts.add(Set.of(one, other))) {
            lose(one, other);
            lose(other, one);
        }
    }

    private void lose(String from, String to) {
        Commands.run(
                "ip",
                "-n",
                space(from),
                "neigh",
                "replace",
                host(to),
                "lladdr",
                NOBODY,
                "nud",
                "permanent",
                "dev",
                "eth0");
    }

    @Override
    public void heal(String one, String other) {
        if (cuts.remove(Set.of(one, other))) {
            Commands.run("ip", "-n", space(one), "neigh", "del", host(other), "dev", "eth0");
            Commands.run("ip", "-n", space(other), "neigh", "del", host(one), "dev", "eth0");
        }
    }

    @Override
    public void close() {
        List<String> failed = new ArrayList<>();
        for (String process : processes) {
            take(failed, "ip", "netns", "del", space(process));
        }
        take(failed, "ip", "link", "del", bridge);
    }

    private static void take(List<String> failed, String... command) {
        try {
            Commands.run(command);
        } catch (IllegalStateException e) {
            failed.add(String.valueOf(e.getMessage()));
        }
    }
}
