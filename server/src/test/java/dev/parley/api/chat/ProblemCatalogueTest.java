package dev.parley.api.chat;

import static dev.parley.api.chat.ProblemScene.HELLO;
import static dev.parley.api.chat.ProblemScene.LIMIT;
import static dev.parley.api.chat.ProblemScene.OLIVIA;
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
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Every problem, provoked in the whole server. The switch has no default: a new problem without a provocation does not
 * compile.
 */
class ProblemCatalogueTest {
    private static ProxiedDatabase database;
    private static RunningServer server;
    private ProblemScene scene;
    private ProblemsUnderLoad underLoad;

    @BeforeAll
    static void start() throws IOException {
        database = new ProxiedDatabase();
        server = database.startServer("500ms");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        database.close();
    }

    @BeforeEach
    void newThread() {
        scene = ProblemScene.withNewThread(server);
        underLoad = new ProblemsUnderLoad(scene, database);
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemCanBeProvoked(Problem problem) throws Exception {
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
            case MALFORMED_REQUEST -> scene.send("GET /health\r\n\r\n");
            case INVALID_JSON -> scene.post("{");
            case INVALID_FIELDS -> scene.post("{\"content\":5}");
            case INVALID_CURSOR -> scene.get(scene.thread() + "/events?after_seq=never");
            case RUN_INPUT_REFUSED ->
                scene.postTo("/api/v1/agent/runs", "{\"threadId\":\"thread-123\",\"runId\":\"r\",\"messages\":[]}");
            case UNAUTHENTICATED -> scene.send("GET " + scene.thread() + " HTTP/1.1\r\nHost: x\r\n\r\n");
            case FORBIDDEN -> postWithoutTheCapability();
            case ROUTE_NOT_FOUND -> scene.get("/api/v1/nothing");
            case THREAD_NOT_FOUND -> scene.get("/api/v1/chat/threads/" + UUID.randomUUID());
            case MESSAGE_NOT_FOUND -> scene.delete(scene.thread() + "/messages/nothing");
            case PARTICIPANT_NOT_FOUND -> scene.delete(scene.thread() + "/participants/user:" + UUID.randomUUID());
            case AGENT_NOT_FOUND -> scene.get("/api/v1/owner/agents/" + UUID.randomUUID());
            case TOKEN_NOT_FOUND -> scene.delete("/api/v1/owner/external-agents/tokens/" + UUID.randomUUID());
            case LINK_NOT_FOUND -> scene.delete("/api/v1/auth/identity-links/" + UUID.randomUUID());
            case TOO_MANY_TOKENS -> makeThreeTokens();
            case WEBHOOK_NOT_FOUND -> scene.delete(scene.thread() + "/webhooks/nothing");
            case TOO_MANY_WEBHOOKS -> {
                scene.postTo(scene.thread() + "/webhooks", "{\"callback_url\":\"http://127.0.0.1:9/\"}");
                yield scene.postTo(scene.thread() + "/webhooks", "{\"callback_url\":\"http://127.0.0.1:9/\"}");
            }
            case DELIVERY_NOT_FOUND ->
                scene.postTo("/api/v1/operator/dead-letters/" + UUID.randomUUID() + "/replay", "{}");
            case ERASURE_NOT_FOUND -> scene.get("/api/v1/operator/erasures/" + UUID.randomUUID());
            case DOCUMENT_CHANGED ->
                scene.call(
                        "PUT",
                        "/api/v1/sessions/" + scene.threadId() + "/document",
                        "Content-Length: 27\r\n",
                        "{\"document\":{},\"version\":3}");
            case DOCUMENT_NOT_FOUND -> scene.get("/api/v1/sessions/" + scene.threadId() + "/document");
            case TOO_MANY_AGENTS -> nameTwoAgents();
            case ANSWER_TOO_LARGE -> readALargeImage();
            case STALE_CONTEXT -> answerTooLate();
            case THREAD_ARCHIVED -> postToAnArchivedThread();
            case LAST_MANAGER -> {
                scene.postTo(scene.thread() + "/participants", "{\"sender_ids\":[\"user:" + UUID.randomUUID() + "\"]}");
                yield scene.delete(scene.thread() + "/participants/user:" + OLIVIA);
            }
            case RUN_NOT_FOUND -> scene.get("/api/v1/agent/threads/" + scene.threadId() + "/runs/nothing");
            case RUN_ACTIVE -> startBesideAnotherRun("reject");
            case QUEUE_FULL -> startBesideAnotherRun("enqueue");
            case NO_DRIVER -> startARunOfAnAgentWithoutAToken();
            case RUN_TAKEN_OVER -> scene.drive("{\"epoch\":7,\"first\":1,\"events\":[]}");
            case EVENT_GAP ->
                scene.drive("{\"epoch\":1,\"first\":7,\"events\":[{\"type\":\"STEP_STARTED\",\"stepName\":\"a\"}]}");
            case RATE_LIMITED -> listTooOften();
            case IDENTITY_UNAVAILABLE -> callWithAnUnpublishedKey();
            case METHOD_NOT_ALLOWED -> scene.delete(scene.thread() + "/messages");
            case KEY_REUSED -> postTwice();
            case PAYLOAD_TOO_LARGE -> scene.postWith("Content-Length: 9999999\r\n", "");
            case UNSUPPORTED_MEDIA_TYPE -> scene.postWith("Content-Type: text/plain\r\nContent-Length: 2\r\n", "hi");
            case RANGE_NOT_SATISFIABLE -> requestARangeBeyondTheEnd();
            case BODY_TIMEOUT -> scene.postWith("Content-Type: application/json\r\nContent-Length: 2\r\n", "{");
            case HEADERS_TOO_LARGE -> scene.call("GET", scene.thread(), "X-Long: " + "x".repeat(20_000) + "\r\n", "");
            case TOO_MANY_STREAMS -> openTwoStreams();
            case INTERNAL -> postWithoutATable();
            case OVERLOADED -> underLoad.postToAFullLane();
            case DATABASE_UNAVAILABLE -> underLoad.postWhileTheDatabaseIsSilent();
            case OBJECT_NOT_FOUND ->
                scene.get("/api/v1/agent/attachments/signed-url?bucket=agent-files&path=agent-inputs/x/y");
            case BUCKET_NOT_FOUND -> scene.get("/storage/v1/bucket/nothing");
            case OBJECT_EXISTS -> {
                scene.upload("taken");
                yield scene.upload("taken");
            }
            case OBJECT_ATTACHED -> replaceAnAttachedObject();
            case QUOTA_EXCEEDED -> uploadTooManyObjects();
            case STORAGE_UNAVAILABLE -> uploadWithoutAFolder();
            case SHUTTING_DOWN -> underLoad.postToAStoppingServer();
        };
    }

    private static RawAnswer requestARangeBeyondTheEnd() throws IOException {
        Routes<String> routes = new Routes<>();
        routes.openDownload(
                "/three",
                call -> Download.of("text/plain", 3, "\"v1\"", (from, length) -> InputStream.nullInputStream()));
        HttpEdge<String> edge = HttpEdge.start(
                HttpSettings.of("127.0.0.1", 0, Limits.defaults().http()),
                BrowserRules.NONE,
                routes,
                head -> "caller",
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

    private RawAnswer nameTwoAgents() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-session-agents", "1")) {
            ProblemScene limited = scene.on(small);
            assertThat(limited.postToSession("first", "\"content\":\"hello\"").status())
                    .isEqualTo(201);
            return limited.postToSession("second", "\"content\":\"hello\"");
        }
    }

    private RawAnswer readALargeImage() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-session-answer", "2000")) {
            ProblemScene limited = scene.on(small);
            String image = "\"images\":[{\"id\":\"i\",\"content\":\"" + "AAAA".repeat(1_000) + "\"}]";
            assertThat(limited.postToSession("painter", image).status()).isEqualTo(201);
            return limited.get("/api/v1/sessions/small/messages?media=inline");
        }
    }

    private RawAnswer replaceAnAttachedObject() throws Exception {
        assertThat(scene.upload("shown").status()).isEqualTo(200);
        database.execute("update objects set attached = true where path like '%/shown'");
        return scene.call("PUT", ProblemScene.object("shown"), "Content-Length: 2\r\n", "ho");
    }

    private RawAnswer uploadTooManyObjects() throws IOException {
        try (RunningServer small = RunningServer.start("--limit-owned-objects", "1")) {
            ProblemScene limited = scene.on(small);
            assertThat(limited.upload("first").status()).isEqualTo(200);
            return limited.upload("second");
        }
    }

    /** A file is in the way of the folder for uploads. */
    private RawAnswer uploadWithoutAFolder() throws IOException {
        Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
        try (RunningServer broken = RunningServer.start("--data", data.toString())) {
            ProblemScene failing = scene.on(broken);
            Files.delete(data.resolve("arriving"));
            Files.createFile(data.resolve("arriving"));
            return failing.upload("lost");
        }
    }

    private RawAnswer postWithoutTheCapability() throws Exception {
        database.execute("update participants set capabilities = 1 where actor = '"
                + Actor.user(OLIVIA).value() + "'");
        try {
            return scene.post(HELLO);
        } finally {
            database.execute("update participants set capabilities = 15");
        }
    }

    private RawAnswer makeThreeTokens() throws IOException {
        String body = "{\"agent_actor_id\":\"" + scene.makeAgent() + "\"}";
        String path = "/api/v1/owner/external-agents/tokens";
        assertThat(scene.postTo(path, body).status()).isEqualTo(201);
        assertThat(scene.postTo(path, body).status()).isEqualTo(201);
        return scene.postTo(path, body);
    }

    private RawAnswer answerTooLate() throws IOException {
        String agent = scene.makeAgent();
        scene.postTo(scene.thread() + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        scene.post(HELLO);
        return scene.postTo(
                scene.thread() + "/agent-messages",
                "{\"agent_id\":\"" + agent + "\",\"content\":\"late\",\"base_seq\":0,\"on_stale\":\"reject\"}");
    }

    private RawAnswer startARunOfAnAgentWithoutAToken() throws IOException {
        scene.postTo(scene.thread() + "/participants", "{\"sender_ids\":[\"agent:" + scene.makeAgent() + "\"]}");
        return scene.startRun("vain", "hello", "enqueue");
    }

    /** One run is active, and another takes the only slot of the queue. */
    private RawAnswer startBesideAnotherRun(String strategy) throws IOException {
        try (RunningServer small = RunningServer.start("--limit-runs-queued", "1")) {
            ProblemScene limited = new ProblemScene(small, ProblemScene.path(UUID.randomUUID()));
            assertThat(limited.startRun("first", "/slow 9000", "enqueue").status())
                    .isEqualTo(202);
            await().untilAsserted(
                            () -> assertThat(limited.get("/api/v1/agent/threads/" + limited.threadId() + "/runs/first")
                                            .text())
                                    .contains("\"running\""));
            if (strategy.equals("enqueue")) {
                assertThat(limited.startRun("second", "hello", strategy).status())
                        .isEqualTo(202);
            }
            RawAnswer refused = limited.startRun("third", "hello", strategy);
            assertThat(limited.postTo("/api/v1/agent/threads/" + limited.threadId() + "/runs/first/cancel", "{}")
                            .status())
                    .isEqualTo(200);
            return refused;
        }
    }

    private RawAnswer postToAnArchivedThread() throws IOException {
        assertThat(scene.call("PATCH", scene.thread() + "/archive", "", "").status())
                .isEqualTo(200);
        return scene.post(HELLO);
    }

    private RawAnswer listTooOften() throws IOException {
        try (RunningServer strict = RunningServer.start("--limit-polls-per-minute", "1")) {
            ProblemScene limited = scene.on(strict);
            assertThat(limited.get("/api/v1/chat/threads").status()).isEqualTo(200);
            return limited.get("/api/v1/chat/threads");
        }
    }

    /** The address of the published keys refuses connections. */
    private RawAnswer callWithAnUnpublishedKey() throws Exception {
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), new JWTClaimsSet.Builder().build());
        token.sign(new ECDSASigner(new ECKeyGenerator(Curve.P_256).generate()));
        try (RunningServer other = RunningServer.start("--jwks-url", "http://127.0.0.1:1/jwks")) {
            ProblemScene closed = scene.on(other);
            return closed.send("GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token.serialize()
                    + "\r\n\r\n");
        }
    }

    private RawAnswer postTwice() throws IOException {
        assertThat(scene.post("{\"content\":\"one\",\"client_message_id\":\"k\"}")
                        .status())
                .isEqualTo(201);
        return scene.post("{\"content\":\"two\",\"client_message_id\":\"k\"}");
    }

    private RawAnswer openTwoStreams() throws IOException {
        try (RawHttp first = RawHttp.connect(server.uri(), LIMIT)) {
            first.send(scene.request("GET", scene.thread() + "/events/stream", "", ""));
            assertThat(first.readHead().status()).isEqualTo(200);
            return scene.get(scene.thread() + "/events/stream");
        }
    }

    private RawAnswer postWithoutATable() throws Exception {
        database.execute("alter table entries rename to entries_elsewhere");
        try {
            return scene.post(HELLO);
        } finally {
            database.execute("alter table entries_elsewhere rename to entries");
        }
    }
}
