package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFolderTest {
    private static final Path CHECKOUT = Path.of("/a/checkout/target");

    @TempDir
    private Path memory;

    @Test
    void aCheckoutFindsItsFolderAgainAndNoOther() {
        MemoryFolder first = folder(CHECKOUT);

        assertThat(folder(CHECKOUT)).isEqualTo(first);
        assertThat(folder(Path.of("/another/checkout/target"))).isNotEqualTo(first);
        assertThat(first.path()).isDirectory().hasParent(memory);
    }

    @Test
    void folderNeedsRoomAndMemory() {
        assertThat(MemoryFolder.standingFor(CHECKOUT, memory, Long.MAX_VALUE)).isEmpty();
        assertThat(MemoryFolder.standingFor(CHECKOUT, memory.resolve("missing"), 0))
                .isEmpty();
    }

    @Test
    void foreignFileInItsPlaceIsNotUsed() throws IOException {
        Path path = folder(CHECKOUT).path();
        Files.delete(path);
        Files.createSymbolicLink(path, Files.createDirectory(memory.resolve("elsewhere")));

        assertThat(MemoryFolder.standingFor(CHECKOUT, memory, 0)).isEmpty();
    }

    @Test
    void theLastPartTakesTheFolderWithIt() throws IOException {
        MemoryFolder folder = folder(CHECKOUT);
        Path one = folder.path().resolve("1");
        Files.createDirectories(one.resolve("cluster"));
        Path other = Files.createDirectory(folder.path().resolve("2"));
        Files.writeString(one.resolve("cluster/file"), "text");

        folder.delete(one);
        assertThat(one).doesNotExist();
        assertThat(other).isDirectory();

        folder.delete(other);
        assertThat(memory).isEmptyDirectory();
    }

    private MemoryFolder folder(Path checkout) {
        return MemoryFolder.standingFor(checkout, memory, 0).orElseThrow();
    }
}
