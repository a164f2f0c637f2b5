package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session's document is served as it was given, and no client overwrites a version it has not read. */
class SessionDocumentTest {
    private static final String SESSIONS = "/api/v1/sessions/";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final UUID adaId = UUID.randomUUID();
    private static final Api ada = server.api(adaId, "Ada");
    private static final Api bob = server.api(UUID.randomUUID(), "Bob");

    private final String session = "notes-" + UUID.randomUUID();
    private final String document = SESSIONS + session + "/document";

    private static Api.Reply put(Api caller, String path, String json, long version) {
        return caller.send("PUT", path, "{\"version\": " + version + ", \"document\": " + json + "}");
    }

    private static String kept(Api.Reply reply) {
        return new String(reply.answer().body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{ \"b\" : 1.0 ,\n\t\"a\":0.0, \"e\":1E+30, \"none\":null, \"empty\":{} , \"list\":[ ] }",
                "{\"session_data\":{\"state\":{\"名前\":\"中文 العربية 👩‍👩‍👧 e\u0301\"}},\"summary\":null}",
                "{\"nul\":\"a\\u0000b\",\"half\":\"\\ud800\",\"escaped\":\"\\u00e9\\/\"}",
                "{\"big\":1000000000000000000000000000000,\"small\":1e-400,\"negative\":-0}",
                "{\"document\":{\"document\":\"}\"}, \"version\":7}"
            })
    void documentIsServedAsItWasGiven(String json) {
        assertThat(put(ada, document, json, 0).status()).isEqualTo(200);

        Api.Reply read = ada.get(document);

        assertThat(kept(read)).contains("\"document\":" + json + ",");
        assertThat(read.json().path("version").asLong()).isEqualTo(1);
        assertThat(read.text("session_id")).isEqualTo(session);
    }

    @Test
    void newVersionReplacesTheOneBefore() {
        assertThat(put(ada, document, "{\"n\":1}", 0).json().path("version").asLong())
                .isEqualTo(1);
        assertThat(put(ada, document, "{\"n\":2}", 1).json().path("version").asLong())
                .isEqualTo(2);

        Api.Reply late = put(ada, document, "{\"n\":3}", 1);
        Api.Reply first = put(ada, document, "{\"n\":3}", 0);
        Api.Reply early = put(ada, document, "{\"n\":3}", 3);

        assertThat(List.of(late, first, early)).allSatisfy(reply -> {
            assertThat(reply.problem()).hasValue("document-changed");
            assertThat(reply.json().path("current_version").asLong()).isEqualTo(2);
        });
        assertThat(ada.get(document).json().path("document").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void concurrentReplacementsOfOneVersion_oneWins() throws Exception {
        int writers = 16;
        int each = 12;
        put(ada, document, "{\"n\":0}", 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = IntStream.range(0, writers)
                    .mapToObj(i -> threads.submit(() -> count(each)))
                    .toList();
            int lost = 0;
            for (Future<Integer> one : all) {
                lost += one.get();
            }
            // Without a lost write the clients did not conflict, and the test proved nothing.
            assertThat(lost).isPositive();
        }

        Api.Reply end = ada.get(document);
        assertThat(end.json().path("document").path("n").asInt()).isEqualTo(writers * each);
        assertThat(end.json().path("version").asInt()).isEqualTo(writers * each + 1);
    }

    /** Increments the document's counter that many times; returns the conflicts. */
    private int count(int times) {
        int lost = 0;
        for (int i = 0; i < times; ) {
            Api.Reply read = ada.get(document);
            long n = read.json().path("document").path("n").asLong() + 1;
            Api.Reply put = put(
                    ada,
                    document,
                    "{\"n\":" + n + "}",
                    read.json().path("version").asLong());
            if (put.status() == 200) {
                i++;
            } else {
                assertThat(put.problem()).hasValue("document-changed");
                lost++;
            }
        }
        return lost;
    }

    @Test
    void concurrentFirstDocuments_oneWins() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> all = IntStream.range(0, 16)
                    .mapToObj(i -> threads.submit(() -> put(ada, document, "{\"by\":" + i + "}", 0)))
                    .toList();
            int first = 0;
            for (Future<Api.Reply> one : all) {
                first += one.get().status() == 200 ? 1 : 0;
            }
            assertThat(first).isEqualTo(1);
        }
        assertThat(server.count("select count(*) from thread_aliases where alias = '" + session + "'"))
                .isEqualTo(1);
    }

    @Test
    void firstDocumentMakesTheSession() {
        assertThat(ada.get(document).problem()).hasValue("thread-not-found");
        put(ada, document, "{}", 0);

        assertThat(ada.get(SESSIONS + session).status()).isEqualTo(200);
        // Another owner's session of the same name is another session.
        assertThat(bob.get(document).problem()).hasValue("thread-not-found");
        assertThat(put(bob, document, "{\"of\":\"Bob\"}", 0).status()).isEqualTo(200);
        assertThat(ada.get(document).json().path("document").isEmpty()).isTrue();
    }

    @Test
    void sessionWithoutADocumentIsNotFound() {
        ada.send("PUT", SESSIONS + session + "/runs/r", "{\"document\": {}}");

        assertThat(ada.get(document).problem()).hasValue("document-not-found");
    }

    @Test
    void refusedDocumentMakesNoSession() {
        String[] bodies = {
            "{\"document\": {}, \"version\": 1}",
            "{\"document\": {}}",
            "{\"document\": {}, \"version\": -1}",
            "{\"document\": {}, \"version\": \"0\"}",
            "{\"document\": [], \"version\": 0}",
            "{\"document\": null, \"version\": 0}",
            "{\"document\": \"{}\", \"version\": 0}",
            "{\"version\": 0}",
            "{\"document\": {\"a\": NaN}, \"version\": 0}",
            "{\"document\": {\"a\": 1, \"a\": 2}, \"version\": 0}",
            "[]",
            ""
        };
        for (String body : bodies) {
            assertThat(ada.send("PUT", document, body).status()).as(body).isIn(400, 404);
        }
        assertThat(server.count("select count(*) from thread_aliases where alias = '" + session + "'"))
                .isZero();
    }

    @Test
    void documentSizeIsLimited() {
        int limit = 4 * 1024 * 1024;
        String around = "{\"a\":\"\"}";
        String largest = "{\"a\":\"" + "x".repeat(limit - around.length()) + "\"}";
        String larger = "{\"a\":\"" + "x".repeat(limit - around.length() + 1) + "\"}";

        assertThat(put(ada, document, larger, 0).problem()).hasValue("payload-too-large");
        assertThat(put(ada, document, largest, 0).status()).isEqualTo(200);
        assertThat(ada.get(document)
                        .json()
                        .path("document")
                        .path("a")
                        .asString()
                        .length())
                .isEqualTo(limit - around.length());
    }

    @Test
    void strangerFindsNoDocument() {
        String thread = UUID.randomUUID().toString();
        put(ada, SESSIONS + thread + "/document", "{\"mine\":true}", 0);

        assertThat(bob.get(SESSIONS + thread + "/document").problem()).hasValue("thread-not-found");
        assertThat(put(bob, SESSIONS + thread + "/document", "{}", 1).problem()).hasValue("thread-not-found");
        assertThat(put(bob, SESSIONS + thread + "/document", "{}", 0).problem()).hasValue("thread-not-found");
        assertThat(ada.get(SESSIONS + thread + "/document")
                        .json()
                        .path("version")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void deletedSessionTakesNoDocument() {
        put(ada, document, "{}", 0);

        assertThat(ada.delete(SESSIONS + session).status()).isEqualTo(204);

        assertThat(ada.get(document).problem()).hasValue("thread-not-found");
        assertThat(put(ada, document, "{}", 1).problem()).hasValue("thread-not-found");
        assertThat(put(ada, document, "{}", 0).problem()).hasValue("thread-not-found");
        assertThat(ada.get(SESSIONS + session).problem()).hasValue("thread-not-found");
    }

    @Test
    void agentSharesItsOwnersSessions() {
        put(ada, document, "{\"n\":1}", 0);
        String id = agent();
        Api speaker = agent(id, "observe", "speak", "run");
        Api mute = agent(id, "observe", "run");
        String thread = ada.get(SESSIONS + session).text("thread_id");

        assertThat(speaker.get(document).problem()).hasValue("thread-not-found");
        ada.post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\": [\"agent:" + id + "\"]}");

        assertThat(speaker.get(document).json().path("document").path("n").asInt())
                .isEqualTo(1);
        assertThat(put(speaker, document, "{\"n\":2}", 1).status()).isEqualTo(200);
        assertThat(put(mute, document, "{\"n\":3}", 2).problem()).hasValue("forbidden");
    }

    @Test
    void agentNeedsARightToMakeSessions() {
        Api speaker = agent(agent(), "observe", "speak", "run");

        assertThat(put(speaker, document, "{}", 0).problem()).hasValue("forbidden");
        assertThat(server.count("select count(*) from thread_aliases where alias = '" + session + "'"))
                .isZero();

        Api manager = agent(agent(), "observe", "speak", "run", "manage_thread");
        assertThat(put(manager, document, "{}", 0).status()).isEqualTo(200);
        // The agent's owner is a participant too.
        assertThat(ada.get(document).status()).isEqualTo(200);
        assertThat(agent(agent(), "observe", "speak", "manage_thread")
                        .get(document)
                        .problem())
                .hasValue("forbidden");
    }

    private static String agent() {
        return ada.post("/api/v1/owner/agents", "{\"display_name\": \"Builder\"}")
                .text("agent_id");
    }

    private static Api agent(String id, String... scopes) {
        return server.api(ada.post(
                        "/api/v1/owner/external-agents/tokens",
                        Json.MAPPER.writeValueAsString(Map.of("agent_actor_id", id, "scopes", scopes)))
                .text("raw_token"));
    }
}
