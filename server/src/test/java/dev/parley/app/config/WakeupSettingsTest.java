package dev.parley.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WakeupSettingsTest {
    private static final String EXTERNAL = "--database-url=jdbc:postgresql://db/parley";
    private static final String PASSWORD = "hidden-from-everybody";
    private static final String URL = "rediss://parley:" + PASSWORD + "@redis.example.org:6380";

    @Test
    void theDefaultIsTheBestAvailableCarrier() {
        assertThat(load().stores().wakeups()).isEqualTo(new Config.Wakeups.Local());
        assertThat(load(EXTERNAL).stores().wakeups()).isEqualTo(new Config.Wakeups.Postgres());
        assertThat(load(EXTERNAL, "--redis-url=" + URL).stores().wakeups())
                .isEqualTo(new Config.Wakeups.Redis(new Secret(URL), "parley:", null));
    }

    @Test
    void aCarrierCanBeChosen(@TempDir Path folder) throws Exception {
        Path authority = Files.writeString(folder.resolve("ca.pem"), "certificates");
        assertThat(load(EXTERNAL, "--wakeups=local").stores().wakeups()).isEqualTo(new Config.Wakeups.Local());
        assertThat(load("--wakeups=Postgres").stores().wakeups()).isEqualTo(new Config.Wakeups.Postgres());
        assertThat(load(
                                "--wakeups=redis",
                                "--redis-url=" + URL,
                                "--redis-prefix={blue}.parley-1:",
                                "--redis-ca-file=" + authority)
                        .stores()
                        .wakeups())
                .isEqualTo(new Config.Wakeups.Redis(new Secret(URL), "{blue}.parley-1:", authority));
    }

    @Test
    void contradictingSettingsAreRefused() {
        refused("--wakeups=redis").hasMessageStartingWith("wakeups is redis, but redis-url is not set");
        refused("--wakeups=postgres", "--redis-url=" + URL)
                .hasMessageStartingWith("redis-url is set, but wakeups is postgres");
        refused("--wakeups=local", "--redis-url=" + URL)
                .hasMessageStartingWith("redis-url is set, but wakeups is local");
        refused("--redis-ca-file=ca.pem")
                .hasMessageStartingWith("redis-ca-file is set, but redis-url is not one of TLS");
        refused("--redis-ca-file=ca.pem", "--redis-url=redis://host")
                .hasMessageStartingWith("redis-ca-file is set, but redis-url is not one of TLS");
        refused("--redis-ca-file=/no/such/file.pem", "--redis-url=" + URL).hasMessageContaining("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://host", "redis://host:6379/0", "rediss://:p%40ss@[::1]:1/", "redis://u:p@10.0.0.1:6379"})
    void anAddressOfRedisIsAccepted(String url) {
        assertThat(load("--redis-url=" + url).stores().wakeups())
                .isEqualTo(new Config.Wakeups.Redis(new Secret(url), "parley:", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "host:6379",
                "http://host:6379",
                "redis-sentinel://host:26379#main",
                "redis:host",
                "redis://" + PASSWORD + "@host:6379/db",
                "redis://host:6379?timeout=10s",
                "redis://"
            })
    void anInvalidAddressIsRefusedAndNotRepeated(String url) {
        refused("--redis-url=" + url)
                .hasMessageContaining("The setting redis-url ")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain(PASSWORD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "stern*", "中文:"})
    void aPrefixIsPlain(String prefix) {
        refused("--redis-prefix=" + prefix).hasMessageContaining("The setting redis-prefix ");
    }

    @Test
    void thePasswordIsNeverPrinted() {
        Config config = load("--redis-url=" + URL);
        assertThat(config.toString()).doesNotContain(PASSWORD);
        assertThat(String.join("\n", config.describe()))
                .contains("rediss://****@redis.example.org:6380")
                .doesNotContain(PASSWORD);
    }

    private static Config load(String... flags) {
        return Config.load(List.of(flags), Map.of());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(String... flags) {
        return assertThatThrownBy(() -> load(flags)).isInstanceOf(ConfigException.class);
    }
}
