package dev.parley.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.sdk.SseFrame;
import dev.parley.testing.Api;
import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The data of a server with the previous schema is read and continued by the present server: the rows are loaded into
 * their own schema, and the server is started on them.
 */
class UpgradeTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** The previous schema; its folder has the data that {@link SaveServer} wrote. */
    private static final String BEFORE = "9";

    private static final Path WRITTEN = Path.of("src/test/resources/upgrade/v" + BEFORE);

    private static Nodes nodes;
    private static Nodes.Node node;
    private static long schemaBefore;
    private static JsonNode memory;
    private static Api ada;
    private static Api ben;
    private static Api olivia;

    @BeforeAll
    static void upgrade() throws Exception {
        TestDatabase database = TestPostgres.shared().emptyDatabase();
        nodes = Nodes.on(database);
        Flyway.configure()
                .dataSource(
                        database.address().jdbcUrl(),
                        database.address().user(),
                        database.address().password())
                .locations("classpath:db/migration")
                .target(BEFORE)
                .load()
                .migrate();
        try (Connection connection = nodes.connect();
                BufferedReader rows = Files.newBufferedReader(WRITTEN.resolve(SaveServer.ROWS))) {
            SavedRows.load(connection, rows);
        }
        SaveServer.copy(WRITTEN.resolve(SaveServer.BLOBS), nodes.storage());
        schemaBefore = schema();
        memory = Json.MAPPER.readTree(Files.readString(WRITTEN.resolve(SaveServer.MEMORY)));
        node = nodes.start(LivedIn.flags());
        ada = node.api(LivedIn.ADA, "Ada");
        ben = node.api(LivedIn.BEN, "بن");
        olivia = node.api(LivedIn.OLIVIA, "Olivia");
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static String room() {
        return memory.path("room").asString();
    }

    private static Api reader(String thread) {
        return thread.equals(memory.at("/ingested/session_id").asString()) ? olivia : ada;
    }

    private static long schema() {
        return nodes.count("select max(version::int) from flyway_schema_history where success");
    }

    @Test
    void theSchemaWasReallyOld() {
        assertThat(schemaBefore).isEqualTo(Long.parseLong(BEFORE));
        assertThat(schema()).isGreaterThan(schemaBefore);
    }

    @Test
    void everyMessageIsReadUnchanged() {
        memory.path("messagesOf")
                .properties()
                .forEach(thread -> assertThat(
                                before(LivedIn.messages(reader(thread.getKey()), thread.getKey()), thread.getValue()))
                        .as("messages of %s", thread.getKey())
                        .isEqualTo(thread.getValue()));
    }

    /**
     * The beginning of the present result, cut to the length and members of the saved one: other tests and later
     * versions add to it.
     */
    private static JsonNode before(JsonNode now, JsonNode then) {
        Set<String> members = Set.copyOf(then.path(0).propertyNames());
        return Json.MAPPER.valueToTree(now.valueStream()
                .limit(then.size())
                .map(message -> ((ObjectNode) message.deepCopy()).retain(members))
                .toList());
    }

    @Test
    void everyCursorResumes() {
        memory.path("eventsOf").properties().forEach(thread -> {
            List<String> then = thread.getValue()
                    .valueStream()
                    .map(event -> event.path("event_id").asString())
                    .toList();
            for (int seen = 0; seen < then.size(); seen++) {
                String cursor = then.get(seen);
                List<String> rest = LivedIn.must(reader(thread.getKey())
                                .get(LivedIn.THREADS + "/" + thread.getKey() + "/events?limit=200&after_seq=" + cursor))
                        .path("events")
                        .valueStream()
                        .map(event -> event.path("event_id").asString())
                        .limit(then.size() - seen - 1)
                        .toList();
                assertThat(rest).isEqualTo(then.subList(seen + 1, then.size()));
            }
        });
    }

    @Test
    void aStreamIsResumedAndGoesOnLive() {
        List<String> then = memory.path("eventsOf")
                .path(LivedIn.QUESTION)
                .valueStream()
                .map(event -> event.path("event_id").asString())
                .toList();
        try (StreamTap tap = StreamTap.open(
                node.uri(),
                LivedIn.THREADS + "/" + LivedIn.QUESTION + "/events/stream?after_seq=" + then.getFirst(),
                node.token(LivedIn.ADA, "Ada"))) {
            JsonNode saved = LivedIn.must(ada.post(
                    LivedIn.THREADS + "/" + LivedIn.QUESTION + "/messages", LivedIn.json(Map.of("content", "更多"))));
            await().atMost(LIMIT)
                    .until(() -> tap.frames().stream()
                            .anyMatch(frame ->
                                    frame.data().contains(saved.path("id").asString())));
            assertThat(tap.frames().stream()
                            .filter(SseFrame::hasId)
                            .map(SseFrame::lastEventId)
                            .limit(then.size() - 1))
                    .isEqualTo(then.subList(1, then.size()));
        }
    }

    @Test
    void aRetryGetsItsFirstAnswer() {
        JsonNode first = memory.at("/messages/1");
        Api.Reply again = ben.post(
                LivedIn.THREADS + "/" + room() + "/messages",
                LivedIn.json(Map.of("content", LivedIn.TEXTS.get(1), "client_message_id", "key-1")));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("id")).isEqualTo(first.path("id"));
        assertThat(again.json().path("thread_seq")).isEqualTo(first.path("thread_seq"));
        assertThat(again.json().path("duplicate").asBoolean()).isTrue();
        assertThat(ben.post(
                                LivedIn.THREADS + "/" + room() + "/messages",
                                LivedIn.json(Map.of("content", "another", "client_message_id", "key-1")))
                        .status())
                .isEqualTo(409);
        Api slack = node.api(memory.path("integrationKey").asString());
        JsonNode ingested = LivedIn.must(slack.post("/api/v1/ingest/chat", LivedIn.ingested()));
        assertThat(ingested.path("duplicate").asBoolean()).isTrue();
        assertThat(ingested.path("message_id")).isEqualTo(memory.at("/ingested/message_id"));
        JsonNode run = LivedIn.must(
                ada.post("/api/v1/agent/runs", LivedIn.input(LivedIn.ROOM, "weather", "weather in Lisbon")));
        assertThat(run.path("taskId")).isEqualTo(memory.path("weatherTask"));
        LivedIn.must(ada.post("/api/v1/sessions/" + LivedIn.SESSION + "/chat-events", LivedIn.chatEvent()));
        assertThat(LivedIn.must(ada.get("/api/v1/sessions/" + LivedIn.SESSION + "/messages")))
                .isEqualTo(memory.path("sessionMessages"));
    }

    @Test
    void theThreadGoesOn() {
        Api builder = node.api(memory.path("agentToken").asString());
        long last = LivedIn.messages(ada, room())
                .valueStream()
                .mapToLong(message -> message.path("thread_seq").asLong())
                .max()
                .orElseThrow();
        JsonNode saved = LivedIn.must(builder.post(
                LivedIn.THREADS + "/" + room() + "/agent-messages", LivedIn.json(Map.of("content", "It works."))));
        assertThat(saved.path("thread_seq").asLong()).isEqualTo(last + 1);
        LivedIn.must(builder.patch(
                LivedIn.THREADS + "/" + room() + "/messages/" + saved.path("id").asString(),
                LivedIn.json(Map.of("content", "It works: نعم"))));
    }

    @Test
    void runsAreReadAndAnswered() {
        List<String> states = LivedIn.must(ada.get("/api/v1/agent/threads/" + LivedIn.ROOM + "/runs"))
                .path("runs")
                .valueStream()
                .map(run ->
                        run.path("runId").asString() + " " + run.path("state").asString())
                .toList();
        assertThat(states).contains("weather completed", "failed failed", "team completed");
        assertThat(LivedIn.must(ada.get("/api/v1/agent/threads/" + LivedIn.ROOM + "/state"))
                        .toString())
                .contains("构建");
        JsonNode current = LivedIn.must(ada.get("/api/v1/agent/threads/" + LivedIn.ROOM + "/runs/weather/context"));
        assertThat(current.path("messages")
                        .valueStream()
                        .map(message -> message.path("content").asString()))
                .contains("weather in Lisbon");
        try (StreamTap tap = StreamTap.open(
                node.uri(),
                "/api/v1/agent/runs/" + LivedIn.ROOM + "/events?runId=weather",
                node.token(LivedIn.ADA, "Ada"))) {
            await().atMost(LIMIT).until(tap::ended);
            assertThat(tap.frames().stream().map(SseFrame::event))
                    .startsWith("RUN_STARTED")
                    .endsWith("RUN_FINISHED");
        }
        LivedIn.must(ada.post("/api/v1/agent/runs", LivedIn.input(LivedIn.ROOM, "after", "still there?")));
        await().atMost(LIMIT)
                .until(() -> LivedIn.messages(ada, LivedIn.ROOM).toString().contains("You said: still there?"));
    }

    @Test
    void objectsHaveTheirBytes() {
        assertThat(ada.get(LivedIn.OBJECT).answer().text()).isEqualTo(LivedIn.OBJECT_TEXT);
        String picture = memory.at("/picture/path").asString().replace("猫", "%E7%8C%AB");
        assertThat(ada.get("/storage/v1/object/agent-files/" + picture).answer().body())
                .isEqualTo(SampleImages.png(3, 2));
    }

    @Test
    void otherStoredObjectsExist() {
        assertThat(LivedIn.must(ada.get(LivedIn.THREADS + "/" + room() + "/webhooks"))
                        .toString())
                .contains("http://127.0.0.1:9/hook");
        assertThat(LivedIn.must(olivia.get("/api/v1/operator/audit"))
                        .path("acts")
                        .isEmpty())
                .isFalse();
        assertThat(LivedIn.must(ada.get("/api/v1/sessions/" + LivedIn.SESSION + "/document"))
                        .at("/document/summary")
                        .asString())
                .isEqualTo("About France");
        assertThat(LivedIn.must(ada.get("/api/v1/sessions/about-france/messages"))
                        .toString())
                .contains("Paris");
        assertThat(LivedIn.must(ada.get("/api/v1/owner/agents")).toString()).contains("Builder");
        Api.Reply again =
                ada.post(LivedIn.THREADS, LivedIn.json(Map.of("title", "Old")), "Idempotency-Key: old-thread");
        assertThat(again.text("thread_id")).isEqualTo(memory.path("archived").asString());
    }

    @Test
    void theFixtureHasNoForeignAddress() throws Exception {
        try (Stream<String> lines = Files.lines(WRITTEN.resolve(SaveServer.ROWS))) {
            assertThat(lines.filter(line -> line.contains("http"))).allMatch(line -> line.contains("127.0.0.1"));
        }
        assertThat(((ObjectNode) memory).properties()).isNotEmpty();
    }
}
