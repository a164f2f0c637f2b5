package dev.parley.app.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.config.Config;
import dev.parley.attachments.BlobStore;
import dev.parley.testkit.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobStoresTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderLiesInTheDataFolder() {
        try (BlobStore store = BlobStores.open(new Config.Storage.Folder(null), folder)) {
            store.check();
        }

        assertThat(folder.resolve("blobs")).isDirectory();
    }

    @Test
    void aServerWithAFolderLoadsNoClassOfTheOtherStore() throws Exception {
        assertThat(loadedBy("--data", folder.toString()))
                .anyMatch(line -> line.contains("dev.parley.attachments.FolderBlobs "))
                .noneMatch(line -> line.contains("software.amazon.awssdk"));
        assertThat(folder.resolve("blobs")).isDirectory();
    }

    @Test
    void aServerWithABucketLoadsTheOtherStore() throws Exception {
        assertThat(loadedBy(
                        "--storage",
                        "s3",
                        "--storage-bucket",
                        "objects",
                        "--storage-access-key",
                        "key",
                        "--storage-secret-key",
                        "secret"))
                .anyMatch(line -> line.contains("software.amazon.awssdk.services.s3.S3Client "))
                .noneMatch(line -> line.contains("dev.parley.attachments.FolderBlobs "));
    }

    private List<String> loadedBy(String... flags) throws Exception {
        try (ChildProcess child = ChildProcess.java(
                folder, Map.of(), List.of("-Xlog:class+load:stdout"), Opening.class.getName(), List.of(flags))) {
            child.awaitLine("opened", Duration.ofSeconds(60));
            assertThat(child.awaitExit(Duration.ofSeconds(60))).isZero();
            return child.output();
        }
    }

    /** Opens the configured store in a JVM of its own. */
    static final class Opening {
        private Opening() {}

        public static void main(String[] flags) {
            Config config = Config.load(List.of(flags), Map.of());
            try (BlobStore store = BlobStores.open(config.stores().storage(), config.data())) {
                System.out.println("opened " + store.getClass().getName());
            }
        }
    }
}
