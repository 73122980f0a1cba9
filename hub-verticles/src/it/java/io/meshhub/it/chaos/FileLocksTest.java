package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
@EnabledOnOs(OS.LINUX)
class FileLocksTest {

    private static final long SELF = ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    @Test
    void whoHoldsAFileOfTheDirectoryIsFoundUntilItLetsGo() throws IOException {
        Files.createFile(directory.resolve("other"));
        try (FileChannel file = FileChannel.open(
                directory.resolve("store.db-shm"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(FileLocks.isHolding(SELF, directory)).isFalse();
            try (FileLock held = file.lock(120, 1, false)) {
                assertThat(held.isValid()).isTrue();
                assertThat(FileLocks.isHolding(SELF, directory)).isTrue();
                assertThat(FileLocks.isHolding(1, directory)).isFalse();
            }
            assertThat(FileLocks.isHolding(SELF, directory)).isFalse();
        }
    }

    @Test
    void nobodyHoldsWhatIsNotThere() {
        assertThat(FileLocks.isHolding(SELF, directory.resolve("none"))).isFalse();
    }
}
