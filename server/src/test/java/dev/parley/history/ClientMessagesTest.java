package dev.parley.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.ObjectKey;
import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Message;
import dev.parley.threads.RevisedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ClientMessagesTest {
    private static final ObjectKey KEY =
            ObjectKey.of("agent-files", "agent-inputs/u/t/r/1-a.png").orElseThrow();
    private static final Actor AUTHOR = Actor.user(new UUID(0, 7));

    private static List<Message> shown(Role role, String content, @Nullable String metadata) {
        EntryContent said = new EntryContent(
                "m1",
                EntryKind.MESSAGE,
                null,
                AUTHOR,
                role,
                content,
                metadata == null ? null : metadata.replace('\'', '"'),
                List.of(),
                null,
                null,
                null,
                null);
        Entry entry = new Entry(new ThreadId(UuidV7.next()), 5, 9, Instant.EPOCH, Digest.ZERO, said, null, List.of());
        return ClientMessages.of(RevisedMessage.unrevised(entry), Map.of(KEY, "https://here/signed"), null);
    }

    private static JsonNode only(List<Message> messages) {
        assertThat(messages).hasSize(1);
        return Json.MAPPER.valueToTree(messages.getFirst());
    }

    @Test
    void userTextHasItsSeqAndAuthor() {
        JsonNode message = only(shown(Role.USER, "hello", "{'name':'Ann','run_id':'r1','colour':'blue'}"));
        assertThat(message.toString())
                .isEqualTo(("{'id':'m1','role':'user','content':'hello','name':'Ann','metadata':{'runId':'r1','seq':5,"
                                + "'senderId':'" + AUTHOR.value() + "','colour':'blue'}}")
                        .replace('\'', '"'));
    }

    @Test
    void filesAreUrlPartsAfterTheText() {
        JsonNode content = only(shown(
                        Role.USER,
                        "look",
                        "{'user_message_attachments':{'bucket':'agent-files','path':'" + KEY.path()
                                + "','mime_type':'image/png'},'attachments':[{'bucket':'agent-files','path':'"
                                + KEY.path() + "','mime_type':'image/png','filename':'a.png','id':'p1'}],"
                                + "'media':[{'type':'audio','source':{'type':'url','value':'https://x/a.ogg'}},7]}"))
                .get("content");
        assertThat(content).hasSize(3);
        assertThat(content.get(0).get("text").asString()).isEqualTo("look");
        assertThat(content.get(1))
                .isEqualTo(Json.MAPPER.readTree("{\"type\":\"image\",\"source\":{\"type\":\"url\",\"value\":"
                        + "\"https://here/signed\",\"mimeType\":\"image/png\"},\"id\":\"p1\","
                        + "\"metadata\":{\"filename\":\"a.png\"}}"));
        assertThat(content.get(2).at("/source/value").asString()).isEqualTo("https://x/a.ogg");
    }

    /** Any client may write any name into metadata: a file not shown in the thread has no link. */
    @Test
    void fileWithoutALinkIsNotShown() {
        assertThat(only(shown(
                                Role.USER,
                                "look",
                                "{'user_message_attachments':{'bucket':'agent-files','path':'somebody/elses.png'}}"))
                        .get("content")
                        .asString())
                .isEqualTo("look");
    }

    @Test
    void reasoningPrecedesItsAnswer() {
        List<Message> turn = shown(
                Role.ASSISTANT,
                "said",
                "{'latency_ms':1,'reasoning':[{'id':'t1','content':'hm'}],'subagent_run_id':'s1','worker_agent_output':{'a':1},"
                        + "'partial':true,'stage':'execution'}");
        assertThat(turn)
                .extracting(message -> message.role() + " " + message.id())
                .containsExactly("reasoning t1", "assistant m1");
        assertThat(turn).allMatch(message -> "s1".equals(message.subagentRunId()));
        JsonNode metadata = Json.MAPPER.valueToTree(turn.getLast().metadata());
        assertThat(metadata.has("worker_agent_output")).isTrue();
        assertThat(metadata.get("partial").asBoolean()).isTrue();
        assertThat(metadata.has("reasoning")).isFalse();
    }

    @Test
    void turnOfCallsHasNoContent() {
        String calls =
                "{'latency_ms':1,'tool_calls':[{'id':'c1','type':'function','function':{'name':'look','arguments':'{}'}}]}";
        JsonNode silent = only(shown(Role.ASSISTANT, "", calls));
        assertThat(silent.has("content")).isFalse();
        assertThat(silent.at("/toolCalls/0/function/name").asString()).isEqualTo("look");
        assertThat(only(shown(Role.ASSISTANT, "said", calls)).get("content").asString())
                .isEqualTo("said");
        assertThat(only(shown(Role.ASSISTANT, "", null)).get("content").asString())
                .isEmpty();
    }

    /** Agents that speak for themselves may have put any value there. */
    @Test
    void unreadableCallsAreLeftOut() {
        for (String broken : List.of("7", "'x'", "[7]", "[{'id':7}]", "{}", "[{'id':'c1'}]", "[null]")) {
            JsonNode message = only(shown(Role.ASSISTANT, "said", "{'latency_ms':1,'tool_calls':" + broken + "}"));
            assertThat(message.get("content").asString()).as(broken).isEqualTo("said");
            assertThat(message.toString()).as(broken).doesNotContain("null");
        }
    }

    @Test
    void agentsMayWriteInOtherRoles() {
        assertThat(only(shown(Role.ASSISTANT, "x", "{'latency_ms':1,'role':'system'}"))
                        .get("role")
                        .asString())
                .isEqualTo("system");
        assertThat(only(shown(Role.ASSISTANT, "x", "{'latency_ms':1,'role':'developer'}"))
                        .get("role")
                        .asString())
                .isEqualTo("developer");
        assertThat(only(shown(Role.ASSISTANT, "x", "{'latency_ms':1,'role':'user'}"))
                        .get("role")
                        .asString())
                .isEqualTo("user");
        assertThat(only(shown(Role.ASSISTANT, "x", "{'latency_ms':1,'role':'oracle'}"))
                        .get("role")
                        .asString())
                .isEqualTo("assistant");
    }

    /** Only members that a run wrote are trusted. */
    @Test
    void othersMembersOfTheSameNamesAreIgnored() {
        List<Message> turn = shown(
                Role.ASSISTANT,
                "said",
                "{'role':'system','name':'Root','reasoning':[{'id':'t1','content':'hm'}],'tool_calls':[{'id':'c1',"
                        + "'type':'function','function':{'name':'look','arguments':'{}'}}]}");
        JsonNode message = only(turn);
        assertThat(message.get("role").asString()).isEqualTo("assistant");
        assertThat(message.has("toolCalls")).isFalse();
        assertThat(message.has("name")).isFalse();
        assertThat(only(shown(Role.USER, "hello", "{'name':'Root'}")).has("name"))
                .isFalse();
    }

    @Test
    void resultNamesItsCall() {
        JsonNode result = only(shown(Role.TOOL, "seen", "{'tool_call_id':'c1','error':'late','tool_name':'look'}"));
        assertThat(result.get("toolCallId").asString()).isEqualTo("c1");
        assertThat(result.get("error").asString()).isEqualTo("late");
        assertThat(result.get("content").asString()).isEqualTo("seen");
    }

    @Test
    void systemMessagesAreNotForClients() {
        assertThat(shown(Role.SYSTEM, "joined", null)).isEmpty();
    }
}
