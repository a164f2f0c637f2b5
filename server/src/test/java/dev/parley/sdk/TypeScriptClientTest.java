package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The client for browsers and node passes its own tests: alone, and in a node process against a whole server. */
class TypeScriptClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern PASSED = Pattern.compile("(?m)^. pass ([0-9]+)$");
    private static final Path OPENAPI = Path.of("src", "main", "resources", "openapi", "openapi.yaml");
    private static final Path LEGACY_PREFIXES = Path.of("..", "clients", "conformance", "legacy-prefix.json");

    @Test
    void clientPassesItsTestsAlone() {
        passes(
                261,
                NodeProject.typescript()
                        .runTests(
                                "test/",
                                LIMIT,
                                Map.of(
                                        "PARLEY_OPENAPI",
                                        OPENAPI.toAbsolutePath().toString(),
                                        "PARLEY_LEGACY_PREFIXES",
                                        LEGACY_PREFIXES.toAbsolutePath().toString())));
    }

    @Test
    void clientPassesItsTestsAgainstAWholeServer() throws IOException {
        UUID operator = UUID.randomUUID();
        // The webhook's port has no listener, and the webhook is never called.
        String[] flags = {"--rate-limits", "off", "--operators", operator.toString(), "--outbound-allow", "127.0.0.1:9"
        };
        try (RunningServer server = RunningServer.start(flags);
                FaultProxy proxy = FaultProxy.to(server.uri())) {
            HttpServer faults = faults(proxy);
            try {
                passes(
                        27,
                        NodeProject.typescript()
                                .runTests(
                                        "live/all.js",
                                        LIMIT,
                                        Map.of(
                                                "PARLEY_URL",
                                                server.uri().toString(),
                                                "PARLEY_PROXY",
                                                proxy.uri().toString(),
                                                "PARLEY_FAULTS",
                                                "http://127.0.0.1:"
                                                        + faults.getAddress().getPort(),
                                                "PARLEY_TOKEN",
                                                server.token(UUID.randomUUID(), "Ada"),
                                                "PARLEY_OTHER_TOKEN",
                                                server.token(UUID.randomUUID(), "Bob"),
                                                "PARLEY_OPERATOR_TOKEN",
                                                server.token(operator, "Olga"),
                                                "PARLEY_PNG",
                                                Base64.getEncoder().encodeToString(SampleImages.png(3, 2)))));
            } finally {
                faults.stop(0);
            }
        }
    }

    /** @param least the lowest number of tests: a file that is not found has none that fail */
    private static void passes(int least, NodeProject.Output output) {
        assertThat(output.exit()).as(output.text()).isZero();
        Matcher passed = PASSED.matcher(output.text());
        assertThat(passed.find()).as(output.text()).isTrue();
        assertThat(Integer.parseInt(passed.group(1))).as(output.text()).isGreaterThanOrEqualTo(least);
        assertThat(output.text()).containsPattern("(?m)^. skipped 0$");
    }

    /** Breaks the network for the client's tests: a request to a control URL returns the number of dropped answers. */
    private static HttpServer faults(FaultProxy proxy) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/cut", exchange -> {
            proxy.cutAll();
            answer(exchange, proxy);
        });
        server.createContext("/drop", exchange -> {
            Path wanted = Path.of(exchange.getRequestURI().getPath());
            String method = wanted.getName(1) + " ";
            proxy.dropNextAnswers(Integer.parseInt(wanted.getName(2).toString()), line -> line.startsWith(method));
            answer(exchange, proxy);
        });
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, FaultProxy proxy) throws IOException {
        byte[] dropped = Long.toString(proxy.droppedAnswers()).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, dropped.length);
        exchange.getResponseBody().write(dropped);
        exchange.close();
    }
}
