package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The messages of a session as Agno clients read them, page by page. */
class ChatEventPageTest {
    @AutoClose
    private static final RunningServer server = Session.start();

    @Test
    void pagesGoBothWays() {
        Session session = Session.fresh(server);
        for (int i = 1; i <= 7; i++) {
            session.say(Session.user("m" + i, "message " + i));
        }
        JsonNode latest =
                session.api().get(session.path("/chat-events?limit=2")).json();
        assertThat(seqs(latest)).containsExactly(6, 7);
        assertThat(latest.path("has_more").asBoolean()).isTrue();
        JsonNode after = session.api()
                .get(session.path("/chat-events?after_seq=5&limit=5"))
                .json();
        assertThat(seqs(after)).containsExactly(6, 7);
        assertThat(after.path("has_more").asBoolean()).isFalse();
        assertThat(after.path("next_after_seq").asInt()).isEqualTo(7);
        assertThat(seqs(session.api()
                        .get(session.path("/chat-events?before_seq=3"))
                        .json()))
                .containsExactly(1, 2);
        assertThat(session.api()
                        .get(session.path("/chat-events?before_seq=3&after_seq=1"))
                        .problem())
                .contains("invalid-fields");
        assertThat(session.messages("?last=1")).isEqualTo("[" + Session.user("m7", "message 7") + "]");
        assertThat(session.messages("?last=1&before_seq=3")).isEqualTo("[" + Session.user("m2", "message 2") + "]");
    }

    private static List<Integer> seqs(JsonNode page) {
        return page.path("chat_events")
                .valueStream()
                .map(row -> row.path("seq").asInt())
                .toList();
    }

    @Test
    void sessionWithoutMessagesHasAnEmptyPage() {
        Session session = Session.fresh(server);
        session.api().send("PUT", session.path("/document"), "{\"document\":{},\"version\":0}");
        JsonNode page = session.api().get(session.path("/chat-events")).json();
        assertThat(page.path("chat_events").size()).isZero();
        assertThat(page.path("next_after_seq").asLong()).isZero();
        assertThat(page.path("next_before_seq").asLong()).isZero();
        assertThat(page.path("has_more").asBoolean()).isFalse();
        assertThat(session.messages("")).isEqualTo("[]");
    }

    @Test
    void messagesOfOtherFacesAreServed() {
        Session session = Session.fresh(server);
        session.say(Session.user("m1", "by Agno"));
        session.api()
                .post("/api/v1/chat/threads/" + session.thread() + "/messages", "{\"content\":\"by the console\"}");
        JsonNode both = Json.MAPPER.readTree(session.messages(""));
        assertThat(both.get(1).path("content").asString()).isEqualTo("by the console");
        assertThat(both.get(1).path("role").asString()).isEqualTo("user");
        assertThat(both.get(1).path("created_at").isIntegralNumber()).isTrue();
    }

    @Test
    void idsOfRowsAreStableAndOfVersion7() {
        Session session = Session.fresh(server);
        session.say(Session.user("m1", "by Agno"));
        for (String named : List.of("hello", UUID.randomUUID().toString())) {
            String body =
                    "{\"threadId\":\"%s\",\"runId\":\"%s\",\"messages\":[{\"id\":\"%s\",\"role\":\"user\",\"content\":\"x\"}],\"forwardedProps\":{\"agentId\":\"demo\"}}"
                            .formatted(session.thread(), "run-" + named, named);
            assertThat(session.api().post("/api/v1/agent/runs", body).status()).isEqualTo(202);
        }
        List<String> ids = rowIds(session);
        assertThat(ids)
                .hasSizeGreaterThanOrEqualTo(3)
                .doesNotHaveDuplicates()
                .allMatch(id -> UUID.fromString(id).version() == 7);
        assertThat(rowIds(session)).startsWith(ids.toArray(String[]::new));
    }

    private static List<String> rowIds(Session session) {
        return session.api()
                .get(session.path("/chat-events"))
                .json()
                .path("chat_events")
                .valueStream()
                .map(row -> row.path("id").asString())
                .toList();
    }

    @Test
    void deletedMessageIsNotServed() {
        Session session = Session.fresh(server);
        session.say(List.of(Session.user("m1", "stays"), Session.user("m2", "goes")));
        session.api().delete("/api/v1/chat/threads/" + session.thread() + "/messages/m2");
        assertThat(session.messages("")).isEqualTo("[" + Session.user("m1", "stays") + "]");
        assertThat(session.rows().size()).isEqualTo(1);
        Api.Reply again = session.say(Session.user("m2", "goes"));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("chat_events").get(0).path("message_data").isNull())
                .isTrue();
    }

    /** A page of the last messages is full, however many messages were deleted since. */
    @Test
    void deletedMessagesDoNotCount() {
        Session session = Session.fresh(server);
        for (int i = 1; i <= 8; i++) {
            session.say(Session.user("m" + i, "message " + i));
        }
        for (int i = 4; i <= 8; i++) {
            session.api().delete("/api/v1/chat/threads/" + session.thread() + "/messages/m" + i);
        }
        assertThat(session.messages("?last=2"))
                .isEqualTo("[" + Session.user("m2", "message 2") + "," + Session.user("m3", "message 3") + "]");
        JsonNode page = session.api().get(session.path("/chat-events?limit=2")).json();
        assertThat(seqs(page)).containsExactly(2, 3);
        assertThat(page.path("next_before_seq").asInt()).isEqualTo(2);
        JsonNode last = session.api()
                .get(session.path("/chat-events?limit=2&before_seq=2"))
                .json();
        assertThat(seqs(last)).containsExactly(1);
        assertThat(last.path("has_more").asBoolean()).isFalse();
        JsonNode on = session.api()
                .get(session.path("/chat-events?limit=2&after_seq=2"))
                .json();
        assertThat(seqs(on)).containsExactly(3);
        assertThat(on.path("has_more").asBoolean()).isFalse();
    }

    @Test
    void usageHasItsOwnColumns() {
        Session session = Session.fresh(server);
        session.say("""
                {"id":"u","role":"assistant","content":"4","metrics":{"input_tokens":82,"output_tokens":22,
                "total_tokens":104,"cache_read_tokens":3,"cost":0.25,"duration":0.5,"nonsense_tokens":"many"}}""");
        JsonNode row = session.rows().get(0);
        assertThat(row.path("input_tokens").asInt()).isEqualTo(82);
        assertThat(row.path("output_tokens").asInt()).isEqualTo(22);
        assertThat(row.path("usage").toString())
                .isEqualTo("{\"input_tokens\":82,\"output_tokens\":22,\"total_tokens\":104,\"cache_read_tokens\":3}");
        assertThat(row.path("cost").decimalValue()).isEqualByComparingTo("0.25");
        assertThat(row.path("cost_currency").asString()).isEqualTo("USD");
    }
}
