package dev.parley.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {
    @TempDir
    Path cache;

    @Test
    void concurrentStartersShareOneFolder() throws Exception {
        Set<Binaries> found = new HashSet<>();
        try (var threads = Executors.newFixedThreadPool(3)) {
            Callable<Binaries> unpack = () -> Binaries.unpackedIn(cache);
            for (Future<Binaries> future : threads.invokeAll(List.of(unpack, unpack, unpack))) {
                found.add(future.get());
            }
        }
        assertThat(found).hasSize(1);
        Binaries binaries = found.iterator().next();
        assertThat(binaries.majorVersion()).isEqualTo(18);
        assertThat(binaries.postgres()).isExecutable();
        assertThat(binaries.folder().resolve("share/postgresql/postgres.bki")).isRegularFile();
    }

    @Test
    void halfUnpackedFolderIsDoneAgain() throws Exception {
        Binaries whole = Binaries.unpackedIn(cache);
        Files.delete(whole.folder().resolve("complete"));
        Files.delete(whole.initdb());
        Binaries again = Binaries.unpackedIn(cache);
        assertThat(again).isEqualTo(whole);
        assertThat(again.initdb()).isExecutable();
    }

    @Test
    void unusableCacheIsNamed() throws Exception {
        Path file = Files.writeString(cache.resolve("file"), "");
        assertThatThrownBy(() -> Binaries.unpackedIn(file))
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageStartingWith("The PostgreSQL programs could not be unpacked into " + file);
    }

    @Test
    void archiveMayNotReachOutsideOfItsFolder() {
        byte[] header = new byte[1024];
        byte[] name = "../escaped".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(name, 0, header, 0, name.length);
        header[156] = '0';
        assertThatThrownBy(() -> Tar.unpack(new ByteArrayInputStream(header), cache.resolve("inside")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("outside of its folder");
        assertThat(cache.resolve("escaped")).doesNotExist();
    }

    @Test
    void archiveCutShortIsNoticed() {
        byte[] header = new byte[600];
        header[0] = 'a';
        System.arraycopy("00000002000".getBytes(StandardCharsets.UTF_8), 0, header, 124, 11);
        header[156] = '0';
        assertThatThrownBy(() -> Tar.unpack(new ByteArrayInputStream(header), cache))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ends in the middle of a");
    }
}
