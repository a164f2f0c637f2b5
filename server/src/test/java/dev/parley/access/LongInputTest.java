package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.sun.management.OperatingSystemMXBean;
import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.LongRuns;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Long input in a header, a URL or a body: the server answers with little work, and never with a failure. The
 * parameters are those of the API document.
 */
class LongInputTest {
    /** Processor time of a request and everything beside it; the longest request needs a twentieth. */
    private static final Duration MAX_CPU_TIME = Duration.ofMillis(400);

    private static final int TRIES = 4;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** The length of a header line and of all headers; longer ones are refused unread. */
    private static final int HEADER = 15_500;
    /** The length of a whole URL. */
    private static final int ADDRESS = 15_000;

    /**
     * The length of a text in a body. One text of each field is as long as the bodies of all routes may be, the others
     * are shorter.
     */
    private static final int BODY = 240_000;

    private static final int TEXT = 48_000;
    /** The lengths to try for the longest accepted text of a field. */
    private static final List<Integer> LENGTHS = List.of(60_000, 9_900, 4_900, 190, 100);

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ApiDocument DOCUMENT = ApiDocument.load();

    /** The form of each header that the server reads, and a request that makes the server read it. */
    private static final Map<String, List<String>> HEADERS = Map.ofEntries(
            Map.entry("Range", List.of("bytes=0-1", "OBJECT")),
            Map.entry("If-Range", List.of("\"a\"", "OBJECT")),
            Map.entry("If-None-Match", List.of("W/\"a\", \"b\"", "OBJECT")),
            Map.entry("Accept-Encoding", List.of("gzip;q=0.5, br", "GET /")),
            Map.entry("Accept", List.of("text/html;q=0.5, */*", "GET /")),
            Map.entry("Content-Type", List.of("application/json; charset=\"utf-8\"", "POST /api/v1/chat/threads")),
            Map.entry("Content-Encoding", List.of("identity", "POST /api/v1/chat/threads")),
            Map.entry("Idempotency-Key", List.of("a-b", "POST /api/v1/chat/threads")),
            Map.entry("Expect", List.of("100-continue", "POST /api/v1/chat/threads")),
            Map.entry("Authorization", List.of("Bearer a.b.c", "GET /api/v1/auth/me")),
            Map.entry("Origin", List.of("https://example.org:80", "GET /api/v1/auth/me")),
            Map.entry("Host", List.of("example.org:80", "GET /api/v1/auth/me")),
            Map.entry("X-Forwarded-For", List.of("192.0.2.1, [::1]", "GET /api/v1/auth/me")),
            Map.entry("X-Request-Id", List.of("a-b", "GET /api/v1/auth/me")),
            Map.entry("Connection", List.of("keep-alive, close", "GET /api/v1/auth/me")),
            Map.entry("Transfer-Encoding", List.of("gzip, chunked", "POST /api/v1/chat/threads")),
            Map.entry("Access-Control-Request-Headers", List.of("a, b", "OPTIONS /api/v1/auth/me")),
            Map.entry("Access-Control-Request-Method", List.of("GET", "OPTIONS /api/v1/auth/me")),
            Map.entry("Last-Event-ID", List.of("12-3", "STREAM")),
            Map.entry("x-metadata", List.of("e30=", "UPLOAD")),
            Map.entry("x-upsert", List.of("true", "UPLOAD")),
            Map.entry("Cache-Control", List.of("max-age=60, private", "UPLOAD")),
            Map.entry("X-Slack-Signature", List.of("v0=abc", "POST /api/v1/integrations/slack/events")),
            Map.entry("X-Slack-Request-Timestamp", List.of("1700000000", "POST /api/v1/integrations/slack/events")),
            Map.entry("X-Signature-Ed25519", List.of("abc1", "POST /api/v1/integrations/discord/interactions")),
            Map.entry(
                    "X-Signature-Timestamp", List.of("1700000000", "POST /api/v1/integrations/discord/interactions")));

    private static World world;
    private static Scene scene;

    private final List<String> faults = new ArrayList<>();
    private int requests;
    private int made;
    private @Nullable RawHttp connection;

    @BeforeAll
    static void start() throws JOSEException {
        world = new World();
        scene = new Scene(world, DOCUMENT, true);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @AfterEach
    void hangUp() throws IOException {
        if (connection != null) {
            connection.close();
        }
    }

    /** Reads first, then changes, deletions last: the scene lasts until the last call. */
    private static Stream<Scene.Example> examples() {
        List<String> order = List.of("get", "put", "post", "patch", "delete");
        return DOCUMENT.operations()
                .sorted(Comparator.comparingInt(operation -> order.indexOf(operation.method())))
                .map(operation -> scene.example(operation, visitor(operation)));
    }

    private static Visitor visitor(ApiDocument.Operation operation) {
        return world.visitors().reversed().stream()
                .filter(visitor -> Rules.expected(operation, visitor).stream().anyMatch(status -> status < 400))
                .findFirst()
                .orElse(world.visitors().getLast());
    }

    @Test
    void headers() {
        Scene.Example download = example("downloadObject");
        Scene.Example upload = example("uploadObject");
        Scene.Example stream = example("streamEvents");
        HEADERS.forEach((name, sample) -> {
            String target = switch (sample.get(1)) {
                case "OBJECT" -> "GET " + download.address();
                case "STREAM" -> "GET " + stream.address();
                case "UPLOAD" -> "POST " + upload.address();
                default -> sample.get(1);
            };
            byte[] body = target.startsWith("POST") ? "{}".getBytes(StandardCharsets.UTF_8) : new byte[0];
            for (String unit : LongRuns.UNITS) {
                if (unit.chars().anyMatch(c -> c == '\n' || c == '\r' || c > 0xff)) {
                    continue;
                }
                List<String> values = new ArrayList<>(LongRuns.within(sample.getFirst(), unit, HEADER));
                values.add(LongRuns.run(unit, HEADER));
                values.add(LongRuns.unclosed(unit, HEADER));
                values.forEach(value -> ask(name + " of " + unit, target, body, name + ": " + value));
            }
        });
        judge();
    }

    private static Scene.Example example(String id) {
        return examples()
                .filter(each -> each.operation().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void addresses() {
        examples().forEach(example -> {
            for (String unit : LongRuns.UNITS) {
                example.path().keySet().forEach(name -> {
                    Map<String, String> path = new LinkedHashMap<>(example.path());
                    path.put(name, encoded(unit, true));
                    String address = new Scene.Example(
                                    example.operation(), path, example.query(), example.body(), example.headers())
                            .address();
                    send(example, name + " of " + unit, address, example.body());
                });
                example.query()
                        .keySet()
                        .forEach(name -> send(
                                example,
                                name + " of " + unit,
                                example.address() + "?" + name + "="
                                        + encoded(unit, false).replace("%20", "+"),
                                example.body()));
            }
        });
        judge();
    }

    /** As long as a URL may be; an escaped character takes three. */
    private static String encoded(String unit, boolean raw) {
        String escaped = raw && unit.equals("/")
                ? unit
                : URLEncoder.encode(unit, StandardCharsets.UTF_8).replace("+", "%20");
        return escaped.repeat(ADDRESS / escaped.length()) + "!";
    }

    @Test
    void bodies() {
        examples().filter(example -> isJson(example)).forEach(example -> {
            JsonNode body = Json.MAPPER.readTree(example.body().bytes());
            List<JsonPointer> texts = new ArrayList<>();
            collect(body, JsonPointer.empty(), texts);
            for (JsonPointer text : texts) {
                int most = LENGTHS.stream()
                        .filter(length -> send(example, text + "", body, text, "a".repeat(length)) < 400)
                        .findFirst()
                        .orElse(0);
                for (String unit : LongRuns.UNITS) {
                    int escaped = Json.MAPPER.writeValueAsString(unit).length() - 2;
                    int length = made % LongRuns.UNITS.size() == 0 ? BODY : TEXT;
                    send(
                            example,
                            text + " of " + unit,
                            body,
                            text,
                            LongRuns.run(unit, length / escaped * unit.length()));
                    if (most > 0) {
                        send(example, text + " of " + unit, body, text, LongRuns.run(unit, most));
                    }
                }
            }
        });
        judge();
    }

    private static boolean isJson(Scene.Example example) {
        return example.body().contentType().equals("application/json")
                && example.body().bytes().length > 0;
    }

    private static void collect(JsonNode node, JsonPointer at, List<JsonPointer> texts) {
        if (node.isString()) {
            texts.add(at);
        } else if (node.isObject()) {
            node.properties().forEach(each -> collect(each.getValue(), at.appendProperty(each.getKey()), texts));
        } else {
            for (int i = 0; i < node.size(); i++) {
                collect(node.get(i), at.appendIndex(i), texts);
            }
        }
    }

    private int send(Scene.Example example, String label, JsonNode body, JsonPointer at, String text) {
        JsonNode changed = body.deepCopy();
        // A repeated key would be answered before the rest of the body is processed.
        for (String key : List.of("/client_message_id", "/runId", "/msg_metadata/external_message_id", "/message/id")) {
            set(changed, JsonPointer.compile(key), "made-" + made++);
        }
        set(changed, at, text);
        Calls.Sent sent = new Calls.Sent("application/json", Json.MAPPER.writeValueAsBytes(changed));
        return send(example, label, example.address() + query(example), sent);
    }

    private static void set(JsonNode root, JsonPointer at, String text) {
        JsonNode parent = root.at(at.head());
        if (root.at(at).isString() && parent instanceof ObjectNode object) {
            object.put(at.last().getMatchingProperty(), text);
        } else if (root.at(at).isString() && parent instanceof ArrayNode array) {
            array.set(at.last().getMatchingIndex(), text);
        }
    }

    private static String query(Scene.Example example) {
        StringBuilder query = new StringBuilder("?");
        example.query().forEach((name, value) -> query.append(value.isEmpty() ? "" : name + "=" + value + "&"));
        return query.toString();
    }

    private int send(Scene.Example example, String label, String address, Calls.Sent body) {
        String target = example.operation().method().toUpperCase(Locale.ROOT) + " " + address;
        String type = body.bytes().length == 0 ? "X-None: x" : "Content-Type: " + body.contentType();
        return ask(
                example.operation().id() + " with " + label,
                target,
                body.bytes(),
                type,
                "Authorization: Bearer " + visitor(example.operation()).credential());
    }

    /** Sends a request; an expensive one is repeated, since other tests share the processor. */
    private int ask(String label, String target, byte[] body, String... headers) {
        byte[] request = request(target, body, headers);
        int status = 0;
        long work = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && work > MAX_CPU_TIME.toNanos(); i++) {
            long before = PROCESS.getProcessCpuTime();
            try {
                status = exchange(request).status();
            } catch (IOException lost) {
                throw new AssertionError(label + " is not answered; before it: " + faults, lost);
            }
            work = Math.min(work, PROCESS.getProcessCpuTime() - before);
            requests++;
        }
        if (status >= 500 || work > MAX_CPU_TIME.toNanos()) {
            faults.add(
                    label + ": " + status + " after " + Duration.ofNanos(work).toMillis() + " ms of work");
        }
        return status;
    }

    private static byte[] request(String target, byte[] body, String... headers) {
        StringBuilder head = new StringBuilder(target + " HTTP/1.1\r\n");
        List<String> all = new ArrayList<>(List.of(headers));
        for (String each :
                List.of("Host: x", "Content-Type: application/json", "Authorization: Bearer " + world.owner)) {
            String name = each.substring(0, each.indexOf(' '));
            if (all.stream().noneMatch(given -> given.startsWith(name))) {
                all.add(each);
            }
        }
        all.forEach(header -> head.append(header).append("\r\n"));
        if (all.stream().noneMatch(header -> header.startsWith("Transfer-Encoding"))) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        return request.toByteArray();
    }

    /** Uses one connection as long as the server keeps it; of a stream, the head is enough. */
    private RawAnswer exchange(byte[] request) throws IOException {
        RawHttp open = connection == null ? RawHttp.connect(world.server.uri(), LIMIT) : connection;
        connection = null;
        try {
            open.send(request);
            RawAnswer head = open.readHead();
            if (head.header("Content-Length").isEmpty()
                    || head.header("Connection").isPresent()) {
                open.close();
            } else {
                open.readBody(head);
                connection = open;
            }
            return head;
        } catch (IOException lost) {
            open.close();
            throw lost;
        }
    }

    private void judge() {
        assertThat(faults).isEmpty();
        assertThat(requests).isGreaterThan(1_000);
    }
}
