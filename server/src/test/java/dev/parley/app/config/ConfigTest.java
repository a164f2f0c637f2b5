package dev.parley.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.limits.Limits;
import dev.parley.outbound.Destination;
import dev.parley.protocol.Actor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class ConfigTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String SHORT_SECRET = "0123456789abcdef0123456789abcde";
    private static final UUID SOMEONE = UUID.fromString("01920000-0000-7000-8000-000000000001");

    @TempDir
    private Path folder;

    @Test
    void defaultsApplyWithoutSettings() {
        Config config = load();

        assertThat(config.listen()).isEqualTo(new Config.Listen("127.0.0.1", 8080, null, List.of()));
        assertThat(config.data()).isEqualTo(Path.of("./data"));
        assertThat(config.stores().database()).isEqualTo(new Config.Database.Embedded());
        assertThat(config.stores().pool()).isEqualTo(10);
        assertThat(config.stores().storage()).isEqualTo(new Config.Storage.Folder(null));
        assertThat(config.access().jwt()).isEqualTo(new Config.Jwt(null, null, null, "authenticated", null));
        assertThat(config.access().jwt().configured()).isFalse();
        assertThat(config.access().operators()).isEqualTo(new Config.Operators(List.of(), null));
        assertThat(config.access().rateLimits()).isTrue();
        assertThat(config.node().lanes()).isEqualTo(2);
        assertThat(config.node().logLevel()).isEqualTo(Level.INFO);
        assertThat(config.node().shutdownGrace()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.limits()).isEqualTo(Limits.defaults());
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void flagsWinOverEnvironmentOverYamlOverDefaults() throws IOException {
        Path file = file("port: 1\nlanes: 3\ndatabase-pool: 4\n");
        Map<String, String> environment =
                Map.of("PARLEY_CONFIG", file.toString(), "PARLEY_PORT", "2", "PARLEY_LANES", "5");

        Config config = Config.load(List.of("--port", "6"), environment);

        assertThat(config.listen().port()).isEqualTo(6);
        assertThat(config.node().lanes()).isEqualTo(5);
        assertThat(config.stores().pool()).isEqualTo(4);
        assertThat(config.describe())
                .anyMatch(line -> line.matches("port +6 \\(flag\\)"))
                .anyMatch(line -> line.matches("lanes +5 \\(env\\)"))
                .anyMatch(line -> line.matches("database-pool +4 \\(yaml\\)"))
                .anyMatch(line -> line.matches("host +127.0.0.1 \\(default\\)"))
                .anyMatch(line -> line.matches("public-url +not set \\(default\\)"));
    }

    @Test
    void theFlagForTheFileWinsOverTheEnvironmentNameForIt() throws IOException {
        Path file = file("port: 7");

        Config config = Config.load(List.of("--config=" + file), Map.of("PARLEY_CONFIG", "/does/not/exist.yaml"));

        assertThat(config.listen().port()).isEqualTo(7);
    }

    @Test
    void flagsTakeTheirValueAfterASpaceOrAnEqualsSignAndTheLastOneCounts() {
        assertThat(load("--port=1", "--port", "2").listen().port()).isEqualTo(2);
        assertThat(load("--jwt-issuer=a=b").access().jwt().issuer()).isEqualTo("a=b");
    }

    @ParameterizedTest
    @CsvSource({"--prot,--port", "--databse-url,--database-url", "--limit-pages,--limit-page", "--confg,--config"})
    void anUnknownFlagNamesTheNearestOne(String wrong, String right) {
        refused(() -> load(wrong, "1")).hasMessageContaining(wrong).hasMessageContaining("did you mean " + right + "?");
    }

    @Test
    void flagsWithoutValueAndArgumentsWithoutFlagAreRefused() {
        refused(() -> load("--port")).hasMessageContaining("--port needs a value");
        refused(() -> load("--port", "--host", "::1")).hasMessageContaining("--port needs a value");
        refused(() -> load("8080")).hasMessageContaining("\"8080\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "zh-CN", "zh-Hant-TW", "pt-BR", "de-AT-1996"})
    void aLocaleIsALanguageTag(String tag) {
        assertThat(load("--locale", tag).agents().locale()).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zh_CN", "in english", "-", "x-private", "en-"})
    void anInvalidLanguageTagIsRefused(String text) {
        refused(() -> load("--locale", text)).hasMessageContaining("a language tag such as en or zh-CN");
        assertThat(load().agents().locale()).isEqualTo("en");
    }

    @Test
    void anUnknownEnvironmentNameOnlyWarns() {
        Config config = Config.load(
                List.of(),
                Map.of("PARLEY_PROT", "1", "PARLEY_HEAP", "2g", "PARLEY_JAVA_HOME", "/x", "PORT", "9", "HOME", "/"));

        assertThat(config.warnings())
                .singleElement()
                .asString()
                .contains("PARLEY_PROT")
                .contains("PARLEY_PORT");
        assertThat(config.listen().port()).isEqualTo(8080);
    }

    @Test
    void anUnreadableValueIsNamedWithItsSettingAndTheExpectedForm() throws IOException {
        refused(() -> load("--port", "eighty"))
                .hasMessage("The setting port (given by the flag --port) cannot be \"eighty\": a whole number from 0 to"
                        + " 65535 is expected.");
        refused(() -> Config.load(List.of(), Map.of("PARLEY_LANES", "0")))
                .hasMessageContaining("PARLEY_LANES")
                .hasMessageContaining("from 1 to 16");
        Path file = file("host: ::1\nlimit:\n  page: many\n");
        refused(() -> load("--config", file.toString()))
                .hasMessageContaining("limit-page")
                .hasMessageContaining("line 3")
                .hasMessageContaining("\"many\"");
    }

    @ParameterizedTest
    @CsvSource({
        "port,0",
        "port,65535",
        "lanes,1",
        "lanes,16",
        "rate-limits,off",
        "log-level,DEBUG",
        "shutdown-grace,1ms",
        "shutdown-grace,24h",
        "public-url,https://parley.example.org/chat/",
        "limit-page,1",
        "limit-other-body,2047MB",
        "operators,slack:U1",
        "database-url,jdbc:postgresql://db/parley",
        "database-url,jdbc:postgresql:parley"
    })
    void valuesInsideTheBoundsAreTaken(String name, String value) {
        assertThat(load("--" + name, value).describe()).anyMatch(line -> line.startsWith(name + " "));
    }

    @ParameterizedTest
    @CsvSource({
        "port,-1",
        "port,65536",
        "lanes,0",
        "lanes,17",
        "rate-limits,perhaps",
        "log-level,loud",
        "shutdown-grace,0s",
        "shutdown-grace,25h",
        "public-url,parley.example.org",
        "public-url,ftp://parley.example.org",
        "public-url,https://parley.example.org?x=1",
        "limit-page,0",
        "limit-page,1KB",
        "limit-other-body,0",
        "limit-other-body,2GB",
        "limit-heartbeat,15",
        "operators,nobody",
        "operators,user:nobody",
        "host,''",
        "database-url,mysql://db/parley",
        "database-url,postgresql://db",
        "database-url,jdbc:postgresql://me:pass@db/parley"
    })
    void valuesOutsideTheBoundsAreRefused(String name, String value) {
        refused(() -> load("--" + name + "=" + value)).hasMessageContaining("The setting " + name + " ");
    }

    @Test
    void everyLimitIsASettingInItsOwnUnit() {
        Limits limits = load("--limit-page", "7", "--limit-other-body", "2MB", "--limit-slow-reader", "500ms")
                .limits();

        assertThat(limits.requests().page()).isEqualTo(7);
        assertThat(limits.requests().body()).isEqualTo(2_097_152);
        assertThat(limits.http().slowReader()).isEqualTo(Duration.ofMillis(500));
        assertThat(Settings.limits()).containsOnlyKeys(Limits.settings().keySet());
        assertThat(Config.help()).anyMatch(line -> line.contains("--limit-streams-per-actor") && line.contains("(64)"));
    }

    @Test
    void operatorsAreUserIdsOrActors() {
        Config config = load("--operators", SOMEONE + ", agent:" + SOMEONE);

        assertThat(config.access().operators().named()).containsExactly(Actor.user(SOMEONE), Actor.agent(SOMEONE));
    }

    @Test
    void thePublicUrlEndsWithoutASlash() {
        assertThat(load("--public-url", "https://parley.example.org/").listen().publicUrl())
                .isEqualTo(URI.create("https://parley.example.org"));
    }

    @Test
    void secretsAreNeverPrinted() {
        String password = "hunter-2-hunter-2";
        Config config = load(
                "--jwt-secret=" + SECRET,
                "--jwt-secret-previous=" + SECRET + "old",
                "--database-url=jdbc:postgresql://db/parley?ssl=true&password=" + password,
                "--database-password=" + password);

        assertThat(config.access().jwt().secret()).isEqualTo(new Secret(SECRET));
        assertThat(config.describe()).anyMatch(line -> line.matches("jwt-secret +\\*{4} \\(flag\\)"));
        assertThat(config.toString()).doesNotContain(SECRET).doesNotContain(password);
        assertThat(String.join("\n", config.describe())).doesNotContain(SECRET).doesNotContain(password);
    }

    @Test
    void secretsHaveAnyNameAndComeFromAnywhere() throws IOException {
        Path yaml = file("secret:\n  agno-token: hunter-2, and more\n  other: from the file\n");
        Config config = Config.load(
                List.of("--config", yaml.toString(), "--secret-third=x3"),
                Map.of("PARLEY_SECRET_OTHER", "from the environment", "PARLEY_SECRET_A_B", "ab"));

        assertThat(config.services().secrets())
                .containsOnly(
                        Map.entry("agno-token", new Secret("hunter-2, and more")),
                        Map.entry("other", new Secret("from the environment")),
                        Map.entry("third", new Secret("x3")),
                        Map.entry("a-b", new Secret("ab")));
        assertThat(config.warnings()).isEmpty();
        assertThat(config.describe()).anyMatch(line -> line.matches("secret-agno-token +\\*{4} \\(.*\\)"));
        assertThat(String.join("\n", config.describe()) + config).doesNotContain("hunter-2");
        refused(() -> load("--secret-third", " ")).hasMessageContaining("secret-third");
        refused(() -> load("--secret-1", "x")).hasMessageContaining("--secret-1");
        assertThat(Config.load(List.of(), Map.of("PARLEY_SECRET_", "x")).warnings())
                .hasSize(1);
    }

    @Test
    void privateHostsAreAllowedWithTheirPorts() {
        assertThat(load("--outbound-allow", "hooks.internal:8443, [fd00::7]:80")
                        .services()
                        .allowed())
                .containsOnly(new Destination("hooks.internal", 8443), new Destination("fd00::7", 80));
        for (String wrong : List.of("hooks.internal", "hooks.internal:0", "http://hooks.internal:80", ",")) {
            refused(() -> load("--outbound-allow", wrong)).hasMessageContaining("outbound-allow");
        }
    }

    @Test
    void aRefusedSecretIsNotInTheMessage() {
        refused(() -> load("--jwt-secret", SHORT_SECRET))
                .hasMessageContaining("jwt-secret")
                .hasMessageContaining("at least 32 bytes")
                .hasMessageNotContaining(SHORT_SECRET);
        refused(() -> load("--database-url", "postgresql://me:hunter2@")).hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.9", "::1", "[::1]", "localhost"})
    void loopbackNeedsNoSecret(String host) {
        assertThat(load("--host", host).access().jwt().configured()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void anyOtherAddressNeedsASecret(String host) {
        refused(() -> load("--host", host)).hasMessageContaining(host).hasMessageContaining("PARLEY_JWT_SECRET");
        assertThat(load("--host", host, "--jwt-secret", SECRET).listen().host()).isEqualTo(host);
    }

    @Test
    void settingsThatNeedAnotherOneAreRefusedAlone() {
        refused(() -> load("--jwt-secret-previous", SECRET)).hasMessageContaining("jwt-secret is not");
        refused(() -> load("--database-user", "me")).hasMessageContaining("database-url is not");
        refused(() -> load("--oidc-issuer", "https://login.example.org")).hasMessageContaining("belong together");
        refused(() -> load("--oidc-client-id", "console")).hasMessageContaining("belong together");
        refused(() -> load("--oidc-issuer", "https://login.example.org", "--oidc-client-id", "console"))
                .hasMessageContaining("jwks-url is not");
    }

    @Test
    void anIssuerIsKeptAsItIsGivenAndItsSiteIsItsOrigin() {
        OidcSettings oidc = oidc("https://login.example.org:8443/realms/one/");

        assertThat(oidc)
                .isEqualTo(new OidcSettings(
                        URI.create("https://login.example.org:8443/realms/one/"), "console", "openid profile"));
        assertThat(oidc.origin()).isEqualTo("https://login.example.org:8443");
        assertThat(oidc("http://localhost:9000").origin()).isEqualTo("http://localhost:9000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://login.example.org", "login.example.org", "https://me@login.example.org", "https://"})
    void anIssuerIsReachedByHttpsOrOnThisMachine(String issuer) {
        refused(() -> oidc(issuer)).hasMessageContaining("oidc-issuer");
    }

    private static OidcSettings oidc(String issuer) {
        String keys = "https://login.example.org/keys";
        Config config = load("--oidc-issuer", issuer, "--oidc-client-id", "console", "--jwks-url", keys);
        return Objects.requireNonNull(config.access().oidc());
    }

    @Test
    void credentialsInAPlatformsDatabaseUrlAreTakenOut() {
        Config config = load("--database-url", "postgres://me:p%40ss+1@db.example.org:6432/parley?sslmode=require");

        assertThat(config.stores().database())
                .isEqualTo(new Config.Database.External(
                        "jdbc:postgresql://db.example.org:6432/parley?sslmode=require", "me", new Secret("p@ss+1")));
        assertThat(String.join("\n", config.describe()))
                .doesNotContain("p%40ss")
                .doesNotContain("p@ss");
    }

    @Test
    void userAndPasswordOfTheirOwnWinOverThoseInTheDatabaseUrl() {
        Config config = load(
                "--database-url=postgresql://me:mine@db/parley", "--database-user=you", "--database-password=yours");

        assertThat(config.stores().database())
                .isEqualTo(new Config.Database.External("jdbc:postgresql://db/parley", "you", new Secret("yours")));
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("parley.yaml"), yaml);
    }

    private static Config load(String... arguments) {
        return Config.load(List.of(arguments), Map.of());
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(ConfigException.class);
    }
}
