package dev.parley.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundTest {
    private static final Map<String, List<String>> NAMES = Map.of(
            "agents.example.org", List.of("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
            "rebound.example.org", List.of("93.184.215.14", "127.0.0.1"),
            "inside.example.org", List.of("10.1.2.3"),
            "localhost", List.of("127.0.0.1", "::1"),
            "xn--lcalhost-d4a.example.org", List.of("127.0.0.1"));

    private static Outbound outbound(String... allowed) {
        return new Outbound(
                Set.copyOf(Arrays.stream(allowed)
                        .map(each -> Destination.parse(each).orElseThrow())
                        .toList()),
                OutboundTest::resolve);
    }

    /** Resolves names by the table instead of DNS, and literals by the machine, without a query. */
    private static List<InetAddress> resolve(String host) throws UnknownHostException {
        if (NAMES.containsKey(host)) {
            return NAMES.get(host).stream().map(InetAddress::ofLiteral).toList();
        }
        return List.of(InetAddress.getAllByName(host));
    }

    private static void require(Outbound outbound, String url) throws Exception {
        outbound.require(OutboundUrl.parse(url), Set.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://agents.example.org/agui",
                "https://agents.example.org./agui",
                "HTTP://Agents.Example.ORG:8000",
                "http://93.184.215.14/",
                "http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:1/",
                "http://[64:ff9b::5db8:d70e]/",
                "http://[::ffff:93.184.215.14]/",
                "http://100.63.255.255/",
                "http://100.128.0.1/",
                "http://172.15.0.1/",
                "http://172.32.0.1/",
                "http://223.255.255.1/"
            })
    void publicAddressIsReached(String url) throws Exception {
        require(outbound(), url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://127.255.255.254/",
                "http://127.0.0.1.:80/",
                "http://localhost/",
                "http://LOCALHOST./",
                "http://0.0.0.0/",
                "http://10.0.0.1/",
                "http://100.64.0.1/",
                "http://100.127.255.254/",
                "http://169.254.169.254/latest/meta-data",
                "http://172.16.0.1/",
                "http://172.31.255.254/",
                "http://192.168.1.1/",
                "http://192.0.0.8/",
                "http://198.18.0.1/",
                "http://224.0.0.1/",
                "http://255.255.255.255/",
                "http://[::]/",
                "http://[::1]/",
                "http://[0:0:0:0:0:0:0:1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://[::ffff:a9fe:a9fe]/",
                "http://[::127.0.0.1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[64:ff9b::10.0.0.1]/",
                "http://[64:ff9b:1::1]/",
                "http://[2002:7f00:1::]/",
                "http://[2001::1]/",
                "http://[2001:db8::1]/",
                "http://[fe80::1]/",
                "http://[fc00::1]/",
                "http://[fd12:3456::1]/",
                "http://[ff02::1]/",
                "http://rebound.example.org/",
                "http://inside.example.org/",
                "http://xn--lcalhost-d4a.example.org/"
            })
    void privateAddressesAreRefusedInEverySpelling(String url) {
        assertThatThrownBy(() -> require(outbound(), url))
                .isInstanceOfAny(OutboundRefused.class, IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://0177.0.0.1/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://[fe80::1%25lo]/",
                "http://[fe80::1%lo]/",
                "http://127。0。0。1/",
                "http://ⓛocalhost/",
                "http://loc%61lhost/",
                "http://user@agents.example.org/",
                "http://user:pass@agents.example.org/",
                "http://agents.example.org@127.0.0.1/",
                "http://agents.example.org:80@127.0.0.1/",
                "http://agents.example.org#@127.0.0.1/",
                "http://agents.example.org/#part",
                "http:///agui",
                "http:agents.example.org",
                "//agents.example.org/",
                "/agui",
                "agents.example.org",
                "ftp://agents.example.org/",
                "file:///etc/passwd",
                "jar:http://agents.example.org!/",
                "http://agents.example.org:0/",
                "http://agents.example.org:65536/",
                "http://agents.example.org:-1/",
                "http://agents.example.org/\r\nHost: x",
                "http://agents.example.org/a b",
                "http://agents.example.org\\@127.0.0.1/",
                "http://agents.example.org/ü",
                ""
            })
    void malformedUrlIsRefused(String url) {
        assertThatThrownBy(() -> OutboundUrl.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aUrlHasALimit() {
        String start = "http://agents.example.org/";
        String longest = start + "x".repeat(OutboundUrl.MAX_LENGTH - start.length());
        assertThat(OutboundUrl.parse(longest).uri()).hasToString(longest);
        assertThatThrownBy(() -> OutboundUrl.parse(longest + "x")).hasMessageContaining("2048");
    }

    @Test
    void aFaultDoesNotQuoteTheUrl() {
        assertThatThrownBy(() -> OutboundUrl.parse("http://user:hunter2@agents.example.org/"))
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> OutboundUrl.parse("http://hunter2 /")).hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "inside.example.org:80, http://inside.example.org/",
        "Inside.Example.org.:443, https://inside.example.org./",
        "127.0.0.1:9, http://127.0.0.1:9/",
        "127.0.0.1:9, http://[::ffff:127.0.0.1]:9/",
        "[::1]:9, http://[0:0:0:0:0:0:0:1]:9/",
        "[fd00::7]:80, http://[FD00::0007]/"
    })
    void allowedDestinationIsReached(String allowed, String url) throws Exception {
        require(outbound(allowed), url);
    }

    @ParameterizedTest
    @CsvSource({
        "inside.example.org:80, http://inside.example.org:81/",
        "inside.example.org:80, https://inside.example.org/",
        "inside.example.org:80, http://10.1.2.3/",
        "127.0.0.1:80, http://localhost/"
    })
    void allowedDestinationIsOneHostAndOnePort(String allowed, String url) {
        assertThatThrownBy(() -> require(outbound(allowed), url)).isInstanceOf(OutboundRefused.class);
    }

    @Test
    void configuredDestinationIsReached() throws Exception {
        OutboundUrl url = OutboundUrl.parse("http://127.0.0.1:9/a");
        outbound().require(url, Set.of(url.destination()));
        assertThatThrownBy(() -> outbound().require(url, Set.of(new Destination("127.0.0.1", 8))))
                .isInstanceOf(OutboundRefused.class);
    }

    @Test
    void returnedAddressesAreTheCheckedOnes() throws Exception {
        assertThat(outbound().addresses(OutboundUrl.parse("https://agents.example.org/")))
                .extracting(InetAddress::getHostAddress)
                .containsExactly("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "host:",
                ":80",
                "host:0",
                "host:65536",
                "host:x",
                "a b:80",
                "[::1:80",
                "[x]:80",
                "::1:80"
            })
    void entryIsAHostAndAPort(String text) {
        assertThat(Destination.parse(text)).isEmpty();
    }

    @Test
    void aDestinationHasOneSpelling() {
        assertThat(Destination.parse("[0:0::1]:65535").orElseThrow().toString()).isEqualTo("[0:0:0:0:0:0:0:1]:65535");
        assertThat(Destination.parse("A.Example:1").orElseThrow().toString()).isEqualTo("a.example:1");
    }
}
