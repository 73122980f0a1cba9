package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O3: one process per node name and data directory. */
class DataLockTest {

    @TempDir
    Path data;

    /** Takes the lock and keeps it until its input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            try (DataLock lock = DataLock.acquire(Path.of(args[0]), args[1])) {
                System.out.println(lock.directory());
                while (System.in.read() >= 0) {
                    // Held as long as the test wants.
                }
            }
        }
    }

    @Test
    void secondProcessIsRefusedWithTheDirectoryAndTheHolder() throws Exception {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        data.toString(),
                        "a")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(holder.inputReader().readLine())
                    .isEqualTo(data.resolve("a").toString());

            assertThatThrownBy(() -> DataLock.acquire(data, "a"))
                    .isInstanceOf(StartRefused.class)
                    .hasMessage("Data directory '" + data.resolve("a") + "' is in use by process " + holder.pid()
                            + ": end that process, or name another node (--node) or directory (--data)");
            DataLock.acquire(data, "b").close();
        } finally {
            holder.destroyForcibly();
        }
        assertThat(holder.waitFor(20, TimeUnit.SECONDS)).isTrue();
        // However the holder ended, its lock is gone.
        DataLock.acquire(data, "a").close();
    }

    @Test
    void secondHolderInOneProcessIsRefusedToo() throws IOException {
        DataLock lock = DataLock.acquire(data, "a");
        assertThatThrownBy(() -> DataLock.acquire(data, "a"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("process " + ProcessHandle.current().pid());
        lock.close();
        DataLock.acquire(data, "a").close();
    }

    @Test
    void directoryThatCannotBeMadeIsSaid() throws IOException {
        Path file = Files.writeString(data.resolve("file"), "");

        assertThatThrownBy(() -> DataLock.acquire(file, "a"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("cannot be used");
    }
}
