package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.erasure.ErasingServer.Person;
import dev.parley.testing.Api;
import dev.parley.testing.StreamTap;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Viewers of a thread are told of its erasure, and no reader sees the erased content any more. */
class ErasureStreamTest {
    private static final String SECRET = "秘密 سرّ 🗝 secret";

    private static final ErasingServer SERVER = ErasingServer.start();

    private final Person ada = SERVER.person("Ada");
    private final String thread = ErasingServer.thread(ada, ErasingServer.DEMO);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private StreamTap open(String path) {
        return StreamTap.open(SERVER.running(), path, String.valueOf(ada.api().credential()));
    }

    private static String all(StreamTap tap) {
        return tap.frames().toString();
    }

    private void say() {
        ErasingServer.post(ada, thread, SECRET);
        SERVER.awaitQuiet(thread);
    }

    @Test
    void liveViewersAreToldAndLateOnesSeeTombstones() {
        String chat = "/api/v1/chat/threads/" + thread + "/events/stream?after_seq=0";
        String agent = "/api/v1/agent/runs/" + thread + "/events?after=0";
        try (StreamTap chatter = open(chat);
                StreamTap watcher = open(agent)) {
            say();
            await().atMost(ErasingServer.LIMIT)
                    .untilAsserted(() -> assertThat(List.of(all(chatter), all(watcher)))
                            .allSatisfy(seen -> assertThat(seen).contains(SECRET)));

            SERVER.erase(Map.of("thread_id", thread));

            await().atMost(ErasingServer.LIMIT)
                    .untilAsserted(() -> assertThat(List.of(all(chatter), all(watcher)))
                            .allSatisfy(seen -> assertThat(seen).contains("messages_erased", "seq_ranges")));
            // The rings of both nodes are still in use: late viewers must not be served from them.
            try (StreamTap late = open(chat);
                    StreamTap lateWatcher = open(agent)) {
                await().atMost(ErasingServer.LIMIT)
                        .untilAsserted(() -> assertThat(List.of(all(late), all(lateWatcher)))
                                .allSatisfy(seen -> assertThat(seen).contains("messages_erased")));
                assertThat(all(late)).doesNotContain("秘密").contains("\"erased\":true");
                assertThat(all(lateWatcher)).doesNotContain("秘密").contains("resync");
            }
        }
    }

    @Test
    void viewersOfAnotherNodeAreTold() {
        String chat = "/api/v1/chat/threads/" + thread + "/events/stream?after_seq=0";
        String token = String.valueOf(ada.api().credential());
        try (Server other = SERVER.anotherNode();
                StreamTap there = StreamTap.open(URI.create(other.url()), chat, token)) {
            say();
            await().atMost(ErasingServer.LIMIT).until(() -> all(there).contains(SECRET));

            SERVER.erase(Map.of("thread_id", thread));

            await().atMost(ErasingServer.LIMIT).until(() -> all(there).contains("messages_erased"));
            try (StreamTap late = StreamTap.open(URI.create(other.url()), chat, token)) {
                await().atMost(ErasingServer.LIMIT).until(() -> all(late).contains("messages_erased"));
                assertThat(all(late)).doesNotContain("秘密");
            }
        }
    }

    @Test
    void pollsPagesDaysAndListsShowTombstones() {
        say();
        SERVER.erase(Map.of("thread_id", thread));
        String path = "/api/v1/chat/threads/" + thread;

        JsonNode polled = must(ada.api().get(path + "/events?after_seq=0&limit=200"));
        JsonNode raw = must(ada.api().get(path + "/messages?revisions=raw"));
        JsonNode day = must(ada.api().get("/api/v1/agent/history?threadId=" + thread));
        JsonNode list = must(ada.api().get("/api/v1/chat/threads"));
        JsonNode view = must(ada.api().get(path));

        for (JsonNode each : List.of(polled, raw, day, list, view)) {
            assertThat(each.toString()).doesNotContain("秘密");
        }
        assertThat(raw.path("entries").valueStream())
                .isNotEmpty()
                .allSatisfy(
                        entry -> assertThat(entry.path("erased_at").isNull()).isFalse());
        assertThat(day.path("messages").valueStream())
                .isNotEmpty()
                .allSatisfy(message ->
                        assertThat(message.path("content").asString()).isEmpty());
        assertThat(view.path("title").isNull()).isTrue();
        assertThat(view.path("last_message_preview").asString("")).isEmpty();
    }

    @Test
    void viewerOfARunIsToldToReload() {
        SERVER.run(ada, thread, "r", SECRET);
        SERVER.erase(Map.of("thread_id", thread));

        try (StreamTap tap = open("/api/v1/agent/runs/" + thread + "/events?runId=r")) {
            await().atMost(ErasingServer.LIMIT).until(() -> all(tap).contains("RUN_FINISHED"));
            assertThat(all(tap)).contains("RUN_STARTED", "resync").doesNotContain("秘密");
        }
        Api.Reply context = ada.api().get("/api/v1/agent/threads/" + thread + "/runs/r/context");
        assertThat(context.toString()).doesNotContain("秘密");
    }

    @Test
    void erasedMessageIsNotShownToLaterRuns() {
        say();
        SERVER.erase(Map.of("thread_id", thread));

        SERVER.run(ada, thread, "after", "What did I say?");

        assertThat(must(ada.api().get("/api/v1/agent/threads/" + thread + "/runs/after/context"))
                        .toString())
                .contains("What did I say?")
                .doesNotContain("秘密");
    }

    @Test
    void erasureBeforeATimeKeepsLaterMessages() {
        say();
        String cut = must(ada.api().get("/api/v1/chat/threads/" + thread + "/messages"))
                .path("messages")
                .get(1)
                .path("created_at")
                .asString();
        ErasingServer.post(ada, thread, "This stays.");
        SERVER.awaitQuiet(thread);

        SERVER.erase(Map.of("thread_id", thread, "before", cut));

        List<JsonNode> messages = ErasingServer.messages(ada, thread);
        assertThat(messages.getFirst().path("content").asString()).isEmpty();
        assertThat(messages.getFirst().path("erased_at").isNull()).isFalse();
        assertThat(messages.get(1).path("erased_at").isNull()).isTrue();
        assertThat(messages.toString()).contains("This stays.");
        SERVER.checkChain(thread);
    }

    @Test
    void erasureIsVisibleToOperatorsAndAudited() {
        say();
        JsonNode erased = SERVER.erase(Map.of("thread_id", thread, "reason", "request 12"));

        JsonNode page = must(SERVER.operator().get("/api/v1/operator/erasures?limit=200"));
        JsonNode acts = must(SERVER.operator().get("/api/v1/operator/audit"));

        assertThat(page.path("erasures").valueStream()).contains(erased);
        assertThat(acts.path("acts").valueStream())
                .filteredOn(act -> act.path("subject")
                        .asString()
                        .contains(erased.path("erasure_id").asString()))
                .extracting(act -> act.path("action").asString())
                .containsExactly("erasure.finished", "erasure.requested");
        assertThat(ada.api()
                        .post("/api/v1/operator/erasures", json(Map.of("thread_id", thread)))
                        .status())
                .isEqualTo(403);
        assertThat(SERVER.operator().post("/api/v1/operator/erasures", "{}").problem())
                .hasValue("invalid-fields");
        assertThat(SERVER.operator()
                        .post("/api/v1/operator/erasures", json(Map.of("actor", "nobody")))
                        .problem())
                .hasValue("invalid-fields");
        assertThat(SERVER.operator()
                        .post("/api/v1/operator/erasures", json(Map.of("thread_id", thread, "before", "soon")))
                        .problem())
                .hasValue("invalid-fields");
    }
}
