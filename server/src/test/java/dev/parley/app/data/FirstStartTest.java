package dev.parley.app.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that a server makes in its data folder, on disks of all kinds. */
class FirstStartTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void concurrentStartsGiveAFolderTheSameId() throws IOException {
        assertThat(IntStream.range(0, 16)
                        .parallel()
                        .mapToObj(each -> FirstStart.idOf(folder))
                        .distinct())
                .hasSize(1);
        assertThat(names()).containsExactly("store-id");
    }

    /** Several nodes need the same secret, so a secret that the first node made must work as a setting. */
    @Test
    void aGeneratedSecretCanBeASetting() throws IOException {
        byte[] made = FirstStart.authSettings(Config.load(List.of("--data", folder.toString()), Map.of()))
                .secrets()
                .getFirst();
        String written = Files.readString(folder.resolve("jwt-secret")).strip();

        assertThat(secretOf("hex:" + written)).isEqualTo(made);
        assertThat(secretOf(written)).isEqualTo(written.getBytes(StandardCharsets.UTF_8));
        String text = "hex: is what I begin with, and I have no digits";
        assertThat(secretOf(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] secretOf(String setting) {
        return FirstStart.authSettings(Config.load(List.of("--jwt-secret", setting), Map.of()))
                .secrets()
                .getFirst();
    }

    @Test
    void aDiskWithoutLinksIsSupported() throws IOException {
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

    /** Refuses links, as network disks and memory sticks do. */
    private static void refuse(Path name, Path existing) throws IOException {
        throw new FileSystemException(name.toString(), existing.toString(), "Operation not permitted");
    }

    @Test
    void anUnusableFolderIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> FirstStart.idOf(file.resolve("objects")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("The storage folder " + file.resolve("objects") + " cannot be used: ");
    }
}
