package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.app.config.ConfigException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server makes for itself in a folder, on disks of all kinds. */
class FirstStartTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void allWhoStartAtOnceKnowAFolderByTheSameName() throws IOException {
        assertThat(IntStream.range(0, 16)
                        .parallel()
                        .mapToObj(each -> FirstStart.idOf(folder))
                        .distinct())
                .hasSize(1);
        assertThat(names()).containsExactly("store-id");
    }

    @Test
    void aDiskWithoutLinksIsGoodEnough() throws IOException {
        Path file = folder.resolve("store-id");
        FirstStart.publish(fresh("first"), file, FirstStartTest::refuse);
        assertThat(file).hasContent("first");
        FirstStart.publish(fresh("second"), file, FirstStartTest::refuse);
        assertThat(file).hasContent("first");
        assertThat(names()).containsExactly("store-id");
    }

    private Path fresh(String text) throws IOException {
        return Files.writeString(folder.resolve(text + ".new"), text);
    }

    /** As network disks and memory sticks do. */
    private static void refuse(Path name, Path existing) throws IOException {
        throw new FileSystemException(name.toString(), existing.toString(), "Operation not permitted");
    }

    @Test
    void theFolderThatCannotBeUsedIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> FirstStart.idOf(file.resolve("objects")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("The storage folder " + file.resolve("objects") + " cannot be used: ");
    }
}
