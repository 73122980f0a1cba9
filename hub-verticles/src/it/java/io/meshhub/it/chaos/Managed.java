package io.meshhub.it.chaos;

import io.meshhub.it.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process of the run over all its starts. */
public final class Managed {

    /** Its name in the cluster. */
    public final String name;

    private final List<ChildJvm> lives = new ArrayList<>();
    private final List<Integer> starts = new ArrayList<>();
    private @Nullable ChildJvm now;
    private boolean frozen;

    Managed(String name) {
        this.name = name;
    }

    void started(ChildJvm jvm, int start) {
        now = jvm;
        frozen = false;
        lives.add(jvm);
        starts.add(start);
    }

    /** Its last start. */
    public ChildJvm jvm() {
        ChildJvm jvm = now;
        if (jvm == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return jvm;
    }

    /** The name with the number of the last start. */
    public String process() {
        return name + "." + starts.get(starts.size() - 1);
    }

    /** Whether its last start has not ended. */
    public boolean isAlive() {
        return now != null && now.isAlive();
    }

    /** Whether its last start has come up, and has not ended. */
    public boolean isUp() {
        return isAlive() && wasUp();
    }

    /** Whether its last start came so far, whatever became of it then. */
    boolean wasUp() {
        return jvm().find("UP " + process()).isPresent();
    }

    boolean isFrozen() {
        return frozen;
    }

    /** Stands still, as SIGSTOP makes it. */
    public void freeze() {
        signal("STOP");
        frozen = true;
    }

    /** Goes on. */
    public void thaw() {
        signal("CONT");
        frozen = false;
    }

    private void signal(String name) {
        try {
            Commands.signal(name, jvm().pid());
        } catch (IllegalStateException e) {
            // It may end by itself at any moment, as when its start fails.
            if (!String.valueOf(e.getMessage()).contains("No such process")) {
                throw e;
            }
        }
    }

    /** What each of its lives printed, by its process. */
    public List<Output> outputs() {
        List<Output> outputs = new ArrayList<>();
        for (int i = 0; i < lives.size(); i++) {
            outputs.add(new Output(name + "." + starts.get(i), lives.get(i).lines()));
        }
        return outputs;
    }

    /** What one life printed. */
    public record Output(String process, List<String> lines) {}
}
