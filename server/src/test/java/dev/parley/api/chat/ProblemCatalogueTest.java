package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.http.BrowserRules;
import dev.parley.http.Download;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Every problem there is, provoked in the whole server. The switch has no default: a new problem without a provocation
 * does not compile.
 */
class ProblemCatalogueTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final UUID OLIVIA = UUID.randomUUID();
    private static final String HELLO = "{\"content\":\"hello\"}";

    private static TestDatabase database;
    private static FaultProxy network;
    private static RunningServer shared;
    private RunningServer server;
    private String thread;

    @BeforeAll
    static void start() throws IOException {
        database = RunningServer.freshDatabase();
        network = FaultProxy.to(URI.create(database.address().jdbcUrl().substring("jdbc:".length())));
        shared = startBehindNetwork("500ms");
    }

    /** One lane with room for one waiting command, and a network to the database that can be stopped. */
    private static RunningServer startBehindNetwork(String appendDeadline) {
        return RunningServer.start(
                "--database-url",
                "jdbc:postgresql://127.0.0.1:" + network.port() + "/" + database.name(),
                "--lanes",
                "1",
                "--limit-lane-queue",
                "1",
                "--limit-append-deadline",
                appendDeadline,
                "--limit-streams-per-actor",
                "1",
                "--limit-webhooks",
                "1",
                "--limit-body-timeout",
                "2s",
                "--outbound-allow",
                "127.0.0.1:9",
                "--operators",
                OLIVIA.toString());
    }

    @AfterAll
    static void stop() throws IOException {
        shared.close();
        network.close();
        database.close();
    }

    @BeforeEach
    void newThread() {
        server = shared;
        try (Parley olivia = server.as(OLIVIA, "Olivia")) {
            thread = "/api/v1/chat/threads/"
                    + olivia.createThread(NewThread.EMPTY).threadId();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemCanBeMet(Problem problem) throws Exception {
        RawAnswer answer = provoke(problem);
        assertThat(answer.status()).as(answer.text()).isEqualTo(problem.status());
        assertThat(answer.header("Retry-After").isPresent())
                .isEqualTo(problem.status() == 429 || problem.status() == 503);
        JsonNode body = Json.MAPPER.readTree(answer.body());
        // Only the storage client's errors have this member.
        assertThat(answer.header("Content-Type"))
                .contains(body.has("statusCode") ? "application/json" : "application/problem+json");
        assertThat(body.get("type").asString()).isEqualTo("/problems/" + problem.slug());
        assertThat(body.get("status").asInt()).isEqualTo(problem.status());
        if (body.has("statusCode")) {
            assertThat(body.get("code").asString()).matches("([A-Z][A-Za-z]+)+");
        } else {
            assertThat(body.get("code").asString()).isEqualTo(problem.code());
        }
        assertThat(body.get("title").asString()).isEqualTo(problem.title());
        assertThat(body.get("message").asString())
                .isNotEmpty()
                .isEqualTo(body.get("detail").asString());
        assertThat(body.get("retryable").asBoolean()).isEqualTo(problem.retryable());
        assertThat(answer.header("X-Request-Id")).contains(body.get("instance").asString());
        assertThat(answer.text()).doesNotContain("Exception", "org.postgresql", "dev.parley");
    }

    private RawAnswer provoke(Problem problem) throws Exception {
        return switch (problem) {
            case MALFORMED_REQUEST -> send("GET /health\r\n\r\n");
            case INVALID_JSON -> post("{");
            case INVALID_FIELDS -> post("{\"content\":5}");
            case INVALID_CURSOR -> get(thread + "/events?after_seq=never");
            case RUN_INPUT_REFUSED ->
                postTo("/api/v1/agent/runs", "{\"threadId\":\"thread-123\",\"runId\":\"r\",\"messages\":[]}");
            case UNAUTHENTICATED -> send("GET " + thread + " HTTP/1.1\r\nHost: x\r\n\r\n");
            case FORBIDDEN -> postWithoutTheRight();
            case ROUTE_NOT_FOUND -> get("/api/v1/nothing");
            case THREAD_NOT_FOUND -> get("/api/v1/chat/threads/" + UUID.randomUUID());
            case MESSAGE_NOT_FOUND -> call("DELETE", thread + "/messages/nothing", "", "");
            case PARTICIPANT_NOT_FOUND -> call("DELETE", thread + "/participants/user:" + UUID.randomUUID(), "", "");
            case AGENT_NOT_FOUND -> get("/api/v1/owner/agents/" + UUID.randomUUID());
            case TOKEN_NOT_FOUND -> call("DELETE", "/api/v1/owner/external-agents/tokens/" + UUID.randomUUID(), "", "");
            case LINK_NOT_FOUND -> call("DELETE", "/api/v1/auth/identity-links/" + UUID.randomUUID(), "", "");
            case TOO_MANY_TOKENS -> makeThreeTokens();
            case WEBHOOK_NOT_FOUND -> call("DELETE", thread + "/webhooks/nothing", "", "");
            case TOO_MANY_WEBHOOKS -> {
                postTo(thread + "/webhooks", "{\"callback_url\":\"http://127.0.0.1:9/\"}");
                yield postTo(thread + "/webhooks", "{\"callback_url\":\"http://127.0.0.1:9/\"}");
            }
            case DELIVERY_NOT_FOUND -> postTo("/api/v1/operator/dead-letters/" + UUID.randomUUID() + "/replay", "{}");
            case ERASURE_NOT_FOUND -> get("/api/v1/operator/erasures/" + UUID.randomUUID());
            case DOCUMENT_CHANGED ->
                call("PUT", session() + "/document", "Content-Length: 27\r\n", "{\"document\":{},\"version\":3}");
            case DOCUMENT_NOT_FOUND -> get(session() + "/document");
            case TOO_MANY_AGENTS -> nameTwoAgents();
            case ANSWER_TOO_LARGE -> askForALargeImage();
            case STALE_CONTEXT -> answerTooLate();
            case THREAD_ARCHIVED -> postToAnArchivedThread();
            case LAST_MANAGER -> {
                postTo(thread + "/participants", "{\"sender_ids\":[\"user:" + UUID.randomUUID() + "\"]}");
                yield call("DELETE", thread + "/participants/user:" + OLIVIA, "", "");
            }
            case RUN_NOT_FOUND -> get("/api/v1/agent/threads/" + threadId() + "/runs/nothing");
            case RUN_ACTIVE -> startBesideAnother("reject");
            case QUEUE_FULL -> startBesideAnother("enqueue");
            case NO_DRIVER -> askAnAgentWithoutAToken();
            case RUN_TAKEN_OVER -> drive("{\"epoch\":7,\"first\":1,\"events\":[]}");
            case EVENT_GAP ->
                drive("{\"epoch\":1,\"first\":7,\"events\":[{\"type\":\"STEP_STARTED\",\"stepName\":\"a\"}]}");
            case RATE_LIMITED -> askTooOften();
            case IDENTITY_UNAVAILABLE -> callWithAKeyNobodyPublishes();
            case METHOD_NOT_ALLOWED -> call("DELETE", thread + "/messages", "", "");
            case KEY_REUSED -> postTwice();
            case PAYLOAD_TOO_LARGE -> call("POST", thread + "/messages", "Content-Length: 9999999\r\n", "");
            case UNSUPPORTED_MEDIA_TYPE ->
                call("POST", thread + "/messages", "Content-Type: text/plain\r\nContent-Length: 2\r\n", "hi");
            case RANGE_NOT_SATISFIABLE -> askBeyondTheEnd();
            case BODY_TIMEOUT ->
                call("POST", thread + "/messages", "Content-Type: application/json\r\nContent-Length: 2\r\n", "{");
            case HEADERS_TOO_LARGE -> call("GET", thread, "X-Long: " + "x".repeat(20_000) + "\r\n", "");
            case TOO_MANY_STREAMS -> openTwoStreams();
            case INTERNAL -> postWithoutATable();
            case OVERLOADED -> postToAFullLane();
            case DATABASE_UNAVAILABLE -> postIntoSilence();
            case OBJECT_NOT_FOUND ->
                get("/api/v1/agent/attachments/signed-url?bucket=agent-files&path=agent-inputs/x/y");
            case BUCKET_NOT_FOUND -> get("/storage/v1/bucket/nothing");
            case OBJECT_EXISTS -> {
                keep("taken");
                yield keep("taken");
            }
            case OBJECT_ATTACHED -> replaceWhatHangsOnAMessage();
            case QUOTA_EXCEEDED -> keepTooMany();
            case STORAGE_UNAVAILABLE -> keepWithoutAFolder();
            case SHUTTING_DOWN -> postToAStoppingServer();
        };
    }

    private static RawAnswer askBeyondTheEnd() throws IOException {
        Routes<String> routes = new Routes<>();
        routes.openDownload(
                "/three",
                call -> Download.of("text/plain", 3, "\"v1\"", (from, length) -> InputStream.nullInputStream()));
        HttpEdge<String> edge = HttpEdge.start(
                HttpSettings.of("127.0.0.1", 0, Limits.defaults().http()),
                BrowserRules.NONE,
                routes,
                head -> "anybody",
                new SimpleMeterRegistry());
        try {
            return RawHttp.exchange(
                    URI.create("http://127.0.0.1:" + edge.port()),
                    "GET /three HTTP/1.1\r\nHost: x\r\nRange: bytes=3-\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                    LIMIT);
        } finally {
            edge.stop(LIMIT);
        }
    }

    private String session() {
        return "/api/v1/sessions/" + threadId();
    }

    private RawAnswer nameTwoAgents() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-session-agents", "1")) {
            server = small;
            assertThat(sayInASession("first", "\"content\":\"hello\"").status()).isEqualTo(201);
            return sayInASession("second", "\"content\":\"hello\"");
        }
    }

    private RawAnswer askForALargeImage() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-session-answer", "2000")) {
            server = small;
            String image = "\"images\":[{\"id\":\"i\",\"content\":\"" + "AAAA".repeat(1_000) + "\"}]";
            assertThat(sayInASession("painter", image).status()).isEqualTo(201);
            return get("/api/v1/sessions/small/messages?media=inline");
        }
    }

    /** Says something as an agent of this name, which is also the message's id. */
    private RawAnswer sayInASession(String agent, String members) throws IOException {
        return postTo(
                "/api/v1/sessions/small/chat-events",
                "{\"agent_name\":\"%1$s\",\"message\":{\"id\":\"%1$s\",\"role\":\"assistant\",%2$s}}"
                        .formatted(agent, members));
    }

    private static String object(String name) {
        return "/storage/v1/object/agent-files/agent-inputs/" + OLIVIA + "/" + name;
    }

    private RawAnswer keep(String name) throws IOException {
        return call("POST", object(name), "Content-Type: text/plain\r\nContent-Length: 2\r\n", "hi");
    }

    private RawAnswer replaceWhatHangsOnAMessage() throws Exception {
        assertThat(keep("shown").status()).isEqualTo(200);
        execute("update objects set attached = true where path like '%/shown'");
        return call("PUT", object("shown"), "Content-Length: 2\r\n", "ho");
    }

    private RawAnswer keepTooMany() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-owned-objects", "1")) {
            server = small;
            assertThat(keep("first").status()).isEqualTo(200);
            return keep("second");
        }
    }

    /** Where uploads should arrive there is a file. */
    private RawAnswer keepWithoutAFolder() throws IOException {
        Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
        try (RunningServer broken = RunningServer.start("--data", data.toString())) {
            server = broken;
            Files.delete(data.resolve("arriving"));
            Files.createFile(data.resolve("arriving"));
            return keep("lost");
        }
    }

    private RawAnswer postWithoutTheRight() throws Exception {
        execute("update participants set capabilities = 1 where actor = '"
                + Actor.user(OLIVIA).value() + "'");
        try {
            return post(HELLO);
        } finally {
            execute("update participants set capabilities = 15");
        }
    }

    private String makeAgent() throws IOException {
        RawAnswer made = postTo("/api/v1/owner/agents", "{\"display_name\":\"Agent\"}");
        return Json.MAPPER.readTree(made.body()).get("agent_id").asString();
    }

    private RawAnswer makeThreeTokens() throws IOException {
        String body = "{\"agent_actor_id\":\"" + makeAgent() + "\"}";
        String path = "/api/v1/owner/external-agents/tokens";
        assertThat(postTo(path, body).status()).isEqualTo(201);
        assertThat(postTo(path, body).status()).isEqualTo(201);
        return postTo(path, body);
    }

    private RawAnswer answerTooLate() throws IOException {
        String agent = makeAgent();
        postTo(thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        post(HELLO);
        return postTo(
                thread + "/agent-messages",
                "{\"agent_id\":\"" + agent + "\",\"content\":\"late\",\"base_seq\":0,\"on_stale\":\"reject\"}");
    }

    private String threadId() {
        return thread.substring(thread.lastIndexOf('/') + 1);
    }

    private RawAnswer askAnAgentWithoutAToken() throws IOException {
        postTo(thread + "/participants", "{\"sender_ids\":[\"agent:" + makeAgent() + "\"]}");
        return startRun("vain", "hello", "enqueue");
    }

    private RawAnswer startRun(String name, String text, String strategy) throws IOException {
        return postTo("/api/v1/agent/runs", """
                {"threadId":"%s","runId":"%s","messages":[{"id":"m","role":"user","content":"%s"}],
                "forwardedProps":{"multitaskStrategy":"%s"}}""".formatted(threadId(), name, text, strategy));
    }

    /** One runs, and the only place in the queue is taken. */
    private RawAnswer startBesideAnother(String strategy) throws IOException {
        try (RunningServer small = RunningServer.start("--limit-runs-queued", "1")) {
            server = small;
            thread = "/api/v1/chat/threads/" + UUID.randomUUID();
            assertThat(startRun("first", "/slow 9000", "enqueue").status()).isEqualTo(202);
            await().untilAsserted(() -> assertThat(get("/api/v1/agent/threads/" + threadId() + "/runs/first")
                            .text())
                    .contains("\"running\""));
            if (strategy.equals("enqueue")) {
                assertThat(startRun("second", "hello", strategy).status()).isEqualTo(202);
            }
            RawAnswer refused = startRun("third", "hello", strategy);
            assertThat(postTo("/api/v1/agent/threads/" + threadId() + "/runs/first/cancel", "{}")
                            .status())
                    .isEqualTo(200);
            return refused;
        }
    }

    private RawAnswer drive(String post) throws IOException {
        String agent = makeAgent();
        String made = postTo(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\",\"run\"]}")
                .text();
        postTo(thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        Api api = server.api(Json.MAPPER.readTree(made).get("raw_token").asString());
        String path = "/api/v1/agent/threads/" + threadId() + "/runs/driven/events";
        assertThat(api.post(path, """
                        {"first":0,"events":[{"type":"STEP_STARTED","stepName":"s"}]}""").status()).isEqualTo(200);
        return api.post(path, post).answer();
    }

    private RawAnswer postToAnArchivedThread() throws IOException {
        assertThat(call("PATCH", thread + "/archive", "", "").status()).isEqualTo(200);
        return post(HELLO);
    }

    private RawAnswer askTooOften() throws IOException {
        try (RunningServer strict = RunningServer.start("--limit-polls-per-minute", "1")) {
            server = strict;
            assertThat(get("/api/v1/chat/threads").status()).isEqualTo(200);
            return get("/api/v1/chat/threads");
        }
    }

    /** The keys are said to be published where nobody listens. */
    private RawAnswer callWithAKeyNobodyPublishes() throws Exception {
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), new JWTClaimsSet.Builder().build());
        token.sign(new ECDSASigner(new ECKeyGenerator(Curve.P_256).generate()));
        try (RunningServer other = RunningServer.start("--jwks-url", "http://127.0.0.1:1/jwks")) {
            server = other;
            return send("GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token.serialize()
                    + "\r\n\r\n");
        }
    }

    private RawAnswer postTo(String path, String body) throws IOException {
        return call("POST", path, "Content-Length: " + body.length() + "\r\n", body);
    }

    private RawAnswer postTwice() throws IOException {
        assertThat(post("{\"content\":\"one\",\"client_message_id\":\"k\"}").status())
                .isEqualTo(201);
        return post("{\"content\":\"two\",\"client_message_id\":\"k\"}");
    }

    private RawAnswer openTwoStreams() throws IOException {
        try (RawHttp first = RawHttp.connect(server.uri(), LIMIT)) {
            first.send(request("GET", thread + "/events/stream", "", ""));
            assertThat(first.readHead().status()).isEqualTo(200);
            return get(thread + "/events/stream");
        }
    }

    private RawAnswer postWithoutATable() throws Exception {
        execute("alter table entries rename to entries_elsewhere");
        try {
            return post(HELLO);
        } finally {
            execute("alter table entries_elsewhere rename to entries");
        }
    }

    private RawAnswer postIntoSilence() throws IOException {
        network.pause();
        try {
            return post(HELLO);
        } finally {
            network.resume();
        }
    }

    /** One command is with the lane, one waits for it, and the third finds no room. */
    private RawAnswer postToAFullLane() throws Exception {
        try (RunningServer patient = startBehindNetwork("15s");
                ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            server = patient;
            network.pause();
            try {
                Future<RawAnswer> carried = others.submit(() -> post(HELLO));
                await().atMost(LIMIT).until(() -> inFlight() == 2 && waiting() == 0);
                Future<RawAnswer> queued = others.submit(() -> post(HELLO));
                await().atMost(LIMIT).until(() -> waiting() == 1);
                RawAnswer refused = post(HELLO);
                network.resume();
                assertThat(carried.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                assertThat(queued.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                return refused;
            } finally {
                network.resume();
            }
        }
    }

    /** A request under way keeps the server from ending; what comes after it is refused. */
    private RawAnswer postToAStoppingServer() throws Exception {
        try (RunningServer stopping = startBehindNetwork("15s");
                ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            server = stopping;
            network.pause();
            try {
                Future<RawAnswer> underWay = others.submit(() -> post(HELLO));
                await().atMost(LIMIT).until(() -> inFlight() == 2);
                Future<?> stop = others.submit(stopping.server()::close);
                await().atMost(LIMIT).until(() -> get("/health").status() == 503);
                RawAnswer refused = post(HELLO);
                network.resume();
                assertThat(underWay.get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                        .isEqualTo(201);
                stop.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                return refused;
            } finally {
                network.resume();
            }
        }
    }

    private double waiting() throws IOException {
        return metric("parley_lane_queue");
    }

    /** The request that asks counts as well. */
    private double inFlight() throws IOException {
        return metric("parley_http_in_flight");
    }

    private double metric(String name) throws IOException {
        return get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no metric " + name));
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        database.address().jdbcUrl(),
                        database.address().user(),
                        database.address().password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private RawAnswer post(String body) throws IOException {
        return postTo(thread + "/messages", body);
    }

    private RawAnswer get(String path) throws IOException {
        return call("GET", path, "", "");
    }

    private RawAnswer call(String method, String path, String headers, String body) throws IOException {
        return send(request(method, path, headers, body));
    }

    private String request(String method, String path, String headers, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + server.uri().getAuthority() + "\r\nAuthorization: Bearer "
                + server.token(OLIVIA, "Olivia")
                + "\r\n" + headers + "\r\n" + body;
    }

    private RawAnswer send(String request) throws IOException {
        return RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.ISO_8859_1), LIMIT);
    }
}
