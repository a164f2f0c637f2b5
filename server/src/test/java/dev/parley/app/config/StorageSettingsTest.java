package dev.parley.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageSettingsTest {
    private static final String SECRET = "wJalrXUtnFEMI-hidden";
    private static final List<String> LEAST = List.of(
            "--storage=s3", "--storage-bucket=objects", "--storage-access-key=AK1", "--storage-secret-key=" + SECRET);

    @Test
    void aBucketNeedsItsNameAndAKeyOnly() {
        assertThat(load(LEAST).stores().storage())
                .isEqualTo(new Config.Storage.S3("objects", null, "us-east-1", "AK1", new Secret(SECRET), "", true));
    }

    @Test
    void aFolderMayLieElsewhereButABucketHasNone() {
        assertThat(load(List.of("--storage-folder=/srv/shared")).stores().storage())
                .isEqualTo(new Config.Storage.Folder(Path.of("/srv/shared")));
        refused(with("--storage-folder=/srv/shared"))
                .hasMessage("storage-folder is set, but storage is s3: leave one of them out.");
    }

    @Test
    void allOtherSettingsCanBeGiven() {
        assertThat(load(with(
                                "--storage-endpoint=https://s3.example.org/",
                                "--storage-region=eu-central-1",
                                "--storage-prefix=company/parley",
                                "--storage-path-style=off"))
                        .stores()
                        .storage())
                .isEqualTo(new Config.Storage.S3(
                        "objects",
                        URI.create("https://s3.example.org"),
                        "eu-central-1",
                        "AK1",
                        new Secret(SECRET),
                        "company/parley",
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"storage-bucket", "storage-access-key", "storage-secret-key"})
    void aBucketWithoutItsRequiredSettingsIsRefused(String missing) {
        List<String> rest = LEAST.stream()
                .filter(flag -> !flag.startsWith("--" + missing + "="))
                .toList();

        refused(rest).hasMessageStartingWith("storage is s3, but " + missing + " is not set");
    }

    @ParameterizedTest
    @CsvSource({
        "storage-bucket,objects",
        "storage-endpoint,https://s3.example.org",
        "storage-access-key,AK1",
        "storage-secret-key,hidden",
        "storage-prefix,parley"
    })
    void whatOnlyABucketHasIsRefusedForAFolder(String name, String value) {
        refused(List.of("--" + name, value)).hasMessageStartingWith(name + " is set, but storage is folder");
    }

    @ParameterizedTest
    @CsvSource({
        "storage,tape",
        "storage-bucket,ab",
        "storage-bucket,../other",
        "storage-bucket,with space",
        "storage-endpoint,s3.example.org",
        "storage-prefix,/parley",
        "storage-prefix,parley/",
        "storage-prefix,a//b",
        "storage-prefix,a/../b",
        "storage-path-style,maybe"
    })
    void whatCannotBeMeantIsRefused(String name, String value) {
        refused(with("--" + name + "=" + value)).hasMessageContaining("The setting " + name + " ");
    }

    @Test
    void bucketsHave3To63Characters() {
        assertThat(load(with("--storage-bucket=" + "b".repeat(3)))).isNotNull();
        assertThat(load(with("--storage-bucket=" + "b".repeat(63)))).isNotNull();
        refused(with("--storage-bucket=" + "b".repeat(64))).hasMessageContaining("storage-bucket");
    }

    @Test
    void anEmptySecretIsRefused() {
        refused(with("--storage-secret-key= ")).hasMessageContaining("storage-secret-key");
    }

    @Test
    void theSecretIsNeverPrinted() {
        Config config = load(LEAST);

        assertThat(config.toString()).doesNotContain(SECRET);
        assertThat(String.join("\n", config.describe())).contains("AK1").doesNotContain(SECRET);
    }

    private static List<String> with(String... further) {
        List<String> flags = new ArrayList<>(LEAST);
        flags.addAll(List.of(further));
        return flags;
    }

    private static Config load(List<String> flags) {
        return Config.load(flags, Map.of());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(List<String> flags) {
        return assertThatThrownBy(() -> load(flags)).isInstanceOf(ConfigException.class);
    }
}
