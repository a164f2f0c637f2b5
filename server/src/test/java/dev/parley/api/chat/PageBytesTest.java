package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Every page of a thread with long messages and longer edits is bounded in bytes; following pages miss and double
 * nothing.
 */
class PageBytesTest {
    private static final int MESSAGES = 30;
    /** The limit also holds for an edited message that was short before. */
    private static final int LENGTH = 4_000;

    private static final int PAGE_BYTES = 4 * LENGTH + 1;
    /** A page has its messages and their edits, the message that reaches the limit, and the JSON around each. */
    private static final int MAX_ANSWER = 2 * PAGE_BYTES + 10 * (LENGTH + 1_000);

    private static RunningServer server;
    private static Api olivia;
    private static String thread;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off", "--limit-page-bytes", "" + PAGE_BYTES);
        olivia = server.api(UUID.randomUUID(), "Olivia");
        thread = json(olivia.post("/api/v1/chat/threads", "{\"title\":\"long\"}"))
                .path("thread_id")
                .asString();
        String messages = "/api/v1/chat/threads/" + thread + "/messages";
        for (int i = 1; i <= MESSAGES; i++) {
            boolean edited = i % 3 == 0;
            String id = json(olivia.post(messages, content(edited ? 10 : LENGTH)))
                    .path("message_id")
                    .asString();
            if (edited) {
                json(olivia.patch(messages + "/" + id, content(LENGTH)));
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String content(int length) {
        return "{\"content\":\"" + "x".repeat(length) + "\"}";
    }

    private static JsonNode json(Api.Reply reply) {
        assertThat(reply.status()).as("%s", reply).isBetween(200, 201);
        return reply.json();
    }

    /** A page of a thread, whose answer is as short as it should be. */
    private static JsonNode page(String path) {
        Api.Reply reply = olivia.get(path);
        assertThat(reply.answer().body()).hasSizeLessThan(MAX_ANSWER);
        return json(reply);
    }

    /** Of the items of a page on either face. */
    private static List<Long> seqs(JsonNode page) {
        return page.values().stream()
                .filter(JsonNode::isArray)
                .flatMap(items -> items.values().stream())
                .map(item -> item.path(item.has("seq") ? "seq" : "thread_seq").asLong())
                .toList();
    }

    private static List<Long> messageSeqs() {
        // An edit follows after each third message.
        return LongStream.rangeClosed(1, MESSAGES + MESSAGES / 3)
                .filter(seq -> seq % 4 != 0)
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/chat/threads/%s/messages?limit=200",
                "/api/v1/chat/threads/%s/messages?limit=200&revisions=raw",
                "/api/v1/sessions/%s/chat-events?limit=200"
            })
    void messagesForwards(String path) {
        List<Long> all = new ArrayList<>();
        long after = 0;
        int pages = 0;
        JsonNode page;
        do {
            page = page(path.formatted(thread) + "&after_seq=" + after);
            all.addAll(seqs(page));
            after = page.path("next_after_seq").asLong();
            pages++;
        } while (page.path("has_more").asBoolean());
        assertThat(all)
                .isEqualTo(
                        path.endsWith("raw")
                                ? LongStream.rangeClosed(1, MESSAGES + MESSAGES / 3)
                                        .boxed()
                                        .toList()
                                : messageSeqs());
        assertThat(pages).isGreaterThan(MESSAGES / 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/chat/threads/%s/messages?limit=200", "/api/v1/sessions/%s/chat-events?limit=200"})
    void messagesBackwards(String path) {
        List<Long> all = new ArrayList<>();
        long before = Integer.MAX_VALUE;
        JsonNode page;
        do {
            page = page(path.formatted(thread) + "&before_seq=" + before);
            all.addAll(0, seqs(page));
            before = page.path("next_before_seq").asLong();
        } while (page.path("has_more").asBoolean());
        assertThat(all).isEqualTo(messageSeqs());
    }

    @Test
    void events() {
        List<String> ids = new ArrayList<>();
        String cursor = "0";
        JsonNode page;
        do {
            page = page("/api/v1/chat/threads/" + thread + "/events?limit=200&after_seq=" + cursor);
            for (JsonNode event : page.path("events")) {
                cursor = event.path("event_id").asString();
                ids.add(cursor);
            }
        } while (page.path("has_more").asBoolean());
        assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(MESSAGES + MESSAGES / 3);
    }

    @Test
    void history() {
        int found = 0;
        String before = "";
        JsonNode page;
        do {
            page = page("/api/v1/agent/history?threadId=" + thread + before);
            found += page.path("messages").size();
            before = "&beforeSeq=" + page.path("messages").path(0).path("seq").asLong();
        } while (page.path("hasMore").asBoolean());
        assertThat(found).isEqualTo(MESSAGES);
    }
}
