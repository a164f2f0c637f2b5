package dev.parley.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlSourceTest {
    @TempDir
    private Path folder;

    @Test
    void nestedKeysAreJoinedAndListsBecomeCommas() throws IOException {
        assertThat(read("""
                port: 9000
                database:
                  url: jdbc:postgresql://db/parley
                  pool: 20
                jwt-audience: here
                operators: [slack:U1, slack:U2]
                limit:
                  lane:
                    queue: 10
                """))
                .containsOnly(
                        Map.entry("port", "9000"),
                        Map.entry("database-url", "jdbc:postgresql://db/parley"),
                        Map.entry("database-pool", "20"),
                        Map.entry("jwt-audience", "here"),
                        Map.entry("operators", "slack:U1,slack:U2"),
                        Map.entry("limit-lane-queue", "10"));
    }

    @Test
    void scalarsAreTakenAsWritten() throws IOException {
        assertThat(read("rate-limits: off\ndatabase-password: 00123\n"))
                .containsOnly(Map.entry("rate-limits", "off"), Map.entry("database-password", "00123"));
    }

    @Test
    void anEmptyFileHasNoSettings() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("# only a comment\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prot: 1                           | did you mean port?",
                "database: {ulr: x}                | did you mean database-url?",
                "database_url: x                   | did you mean database-url?",
                "port:                             | has no value",
                "port: ~                           | has no value",
                "operators: [[a]]                  | holds more than texts",
                "config: other.yaml                | cannot name another one",
                "just words                        | does not hold settings",
                "[port, 80]                        | does not hold settings",
                "? [a, b] : c                      | is not a plain name",
                "a: &a {b: *a}                     | There is no setting",
                "!!java.net.URL ['http://x']       | is not valid YAML in line 1",
                "port: [1                          | is not valid YAML in line 1"
            })
    void invalidContentIsRefusedInOneSentence(String yaml, String expected) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigException.class).hasMessageContaining(expected);
    }

    @Test
    void aSettingGivenTwiceIsRefused() {
        assertThatThrownBy(() -> read("database-pool: 1\ndatabase: {pool: 2}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("database-pool is given twice")
                .hasMessageContaining("line 2");
    }

    @Test
    void brokenYamlIsNotQuoted() {
        assertThatThrownBy(() -> read("jwt-secret: 'top secret\nport: 1\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("top secret");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> YamlSource.read(folder.resolve("none.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.yaml does not exist");
        assertThatThrownBy(() -> YamlSource.read(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot be read");
    }

    private Map<String, String> read(String yaml) throws IOException {
        return YamlSource.read(Files.writeString(folder.resolve("parley.yaml"), yaml)).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().text()));
    }
}
