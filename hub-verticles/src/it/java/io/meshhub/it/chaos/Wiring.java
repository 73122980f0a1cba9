package io.meshhub.it.chaos;

import io.meshhub.testkit.FreePorts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a run reach each other. No link is made slow: that needs the {@code netem} discipline, which
 * kernels may lack where namespaces are to be had; {@link Fault.Kind#STUTTER} makes everything of a process late instead.
 */
interface Wiring extends AutoCloseable {

    /** Network namespaces where this machine allows them, the loopback interface otherwise. */
    static Wiring choose(List<String> processes) {
        return Namespaces.tryOpen(processes).<Wiring>map(made -> made).orElseGet(() -> new Loopback(processes));
    }

    /** Says which it is, for people. */
    String describe();

    /** Whether links can be cut. */
    boolean canCut();

    /** Where the process binds. */
    String host(String process);

    /** Where its member listens. */
    int port(String process);

    /** What the command of the process begins with. */
    List<String> prefix(String process);

    /** Lets nothing through between the two, in both directions and without a word. */
    void cut(String one, String other);

    /** Lets everything through again. */
    void heal(String one, String other);

    @Override
    void close();

    /** All processes on the loopback interface: nothing can be cut. */
    final class Loopback implements Wiring {

        private final Map<String, Integer> ports = new HashMap<>();

        Loopback(List<String> processes) {
            List<Integer> free = FreePorts.of(processes.size());
            for (int i = 0; i < free.size(); i++) {
                ports.put(processes.get(i), free.get(i));
            }
        }

        @Override
        public String describe() {
            return "the loopback interface: no links are cut, since network namespaces are not to be had here (they need"
                    + " root and iproute2)";
        }

        @Override
        public boolean canCut() {
            return false;
        }

        @Override
        public String host(String process) {
            return "127.0.0.1";
        }

        @Override
        public int port(String process) {
            return ports.getOrDefault(process, 0);
        }

        @Override
        public List<String> prefix(String process) {
            return List.of();
        }

        @Override
        public void cut(String one, String other) {
            throw new IllegalStateException("nothing can be cut on the loopback interface");
        }

        @Override
        public void heal(String one, String other) {
            // Nothing was cut.
        }

        @Override
        public void close() {
            // Nothing to take down.
        }
    }
}
