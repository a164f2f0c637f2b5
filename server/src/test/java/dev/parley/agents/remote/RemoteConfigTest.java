package dev.parley.agents.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.outbound.Secrets;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RemoteConfigTest {
    private static final String URL = "\"url\":\"https://agents.example.org/agui\"";
    private static final Secrets SECRETS = new Secrets(Map.of("token", "hunter2-hunter2"));

    private static RemoteConfig read(String members) {
        return RemoteConfig.require((ObjectNode) Json.MAPPER.readTree("{" + members + "}"), SECRETS);
    }

    private static List<String> faults(String members) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> read(members));
        assertThat(refused).as(members).isNotNull();
        return refused.errors().stream().map(FieldError::field).toList();
    }

    @Test
    void aUrlIsEnough() {
        RemoteConfig config = read(URL);
        assertThat(config.url().uri()).hasToString("https://agents.example.org/agui");
        assertThat(config.headers()).isEmpty();
        assertThat(config.silence()).isNull();
        assertThat(read(URL + ",\"headers\":null,\"silence_seconds\":null")).isEqualTo(config);
    }

    @Test
    void everyInvalidFieldIsNamed() {
        assertThat(faults("\"url\":\"x\",\"header\":{},\"headers\":{\"Host\":\"a\"},\"silence_seconds\":0"))
                .containsExactlyInAnyOrder(
                        "config.url", "config.header", "config.headers.Host", "config.silence_seconds");
        assertThat(faults("")).containsExactly("config.url");
    }

    @ParameterizedTest
    @CsvSource({"1,true", "3600,true", "0,false", "3601,false", "1.5,false", "'\"60\"',false", "99999999999,false"})
    void silenceHasBounds(String given, boolean fits) {
        String members = URL + ",\"silence_seconds\":" + given;
        if (fits) {
            assertThat(read(members).silence()).isEqualTo(Duration.ofSeconds(Long.parseLong(given)));
        } else {
            assertThat(faults(members)).containsExactly("config.silence_seconds");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Content-Type",
                "ACCEPT",
                "Connection",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "Upgrade",
                "Proxy-Connection",
                "Accept-Encoding",
                "Expect",
                "a b",
                "a:b",
                "ä",
                ""
            })
    void connectionHeadersAndInvalidNamesAreRefused(String name) {
        assertThat(faults(URL + ",\"headers\":{\"" + name + "\":\"x\"}")).containsExactly("config.headers." + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"a\\r\\nb\"", "\"a\\nb\"", "\"a\\u0000\"", "\"ä\"", "7", "null", "\"${env:HOME}\"", "\"${\""})
    void invalidHeaderValuesAreRefused(String value) {
        assertThat(faults(URL + ",\"headers\":{\"X-A\":" + value + "}")).containsExactly("config.headers.X-A");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "authorization",
                "Cookie",
                "Proxy-Authorization",
                "X-API-Key",
                "X-Password",
                "Session-Id",
                "X-Auth-Token",
                "Client-Secret",
                "apikey"
            })
    void credentialsComeFromSecrets(String name) {
        assertThat(faults(URL + ",\"headers\":{\"" + name + "\":\"Bearer abc\"}"))
                .containsExactly("config.headers." + name);
        assertThat(read(URL + ",\"headers\":{\"" + name + "\":\"Bearer ${secret:TOKEN}\"}")
                        .headers())
                .containsOnlyKeys(name);
    }

    @Test
    void anUnknownSecretIsRefusedButCanBeReadLater() {
        String members = URL + ",\"headers\":{\"X-A\":\"${secret:gone}\"}";
        assertThat(faults(members)).containsExactly("config.headers.X-A");
        assertThat(RemoteConfig.read((ObjectNode) Json.MAPPER.readTree("{" + members + "}"))
                        .headers())
                .containsOnlyKeys("X-A");
    }

    @Test
    void headersHaveALimitAndEachNameOnce() {
        String twenty = IntStream.range(0, 20)
                .mapToObj(i -> "\"X-" + i + "\":\"v\"")
                .collect(Collectors.joining(",", ",\"headers\":{", ""));
        assertThat(read(URL + twenty + "}").headers()).hasSize(20);
        assertThat(faults(URL + twenty + ",\"X-more\":\"v\"}")).containsExactly("config.headers");
        assertThat(faults(URL + ",\"headers\":{\"X-A\":\"1\",\"x-a\":\"2\"}")).containsExactly("config.headers");
        assertThat(faults(URL + ",\"headers\":[]")).containsExactly("config.headers");
        assertThat(read(URL + ",\"headers\":{\"X-A\":\"" + "v".repeat(4_096) + "\"}")
                        .headers())
                .hasSize(1);
        assertThat(faults(URL + ",\"headers\":{\"X-A\":\"" + "v".repeat(4_097) + "\"}"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"?api_key=1,false", "?a=b&Access-Token=1,false", "?session=1,false", "?a=key,true", "?stage=test,true"})
    void aUrlCarriesNoCredential(String query, boolean fits) {
        String url = "\"url\":\"https://agents.example.org/agui" + query + "\"";
        if (fits) {
            assertThat(read(url).url().uri().getQuery()).isEqualTo(query.substring(1));
        } else {
            assertThat(faults(url)).containsExactly("config.url");
        }
    }
}
