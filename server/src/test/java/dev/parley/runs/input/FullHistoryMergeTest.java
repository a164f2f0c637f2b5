package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.ToolCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FullHistoryMergeTest {
    private static RunAgentInput input(Message... messages) {
        return new RunAgentInput("t", "r", null, null, null, List.of(messages), List.of(), List.of(), null, List.of());
    }

    private static Message.User user(String id) {
        return new Message.User(id, "text of " + id);
    }

    private static Message.Tool tool(String id, String call) {
        return new Message.Tool(id, new Content.Text("result"), call, null, null, null, null);
    }

    private static Message.Assistant assistant(String id) {
        return new Message.Assistant(id, "said", null, List.of(new ToolCall("c1", "look", "{}")), null, null, null);
    }

    private static final Message SYSTEM = new Message.SystemPrompt("s1", "obey", null, null, null, null);
    private static final Message DEVELOPER = new Message.Developer("d1", "obey", null, null, null, null);
    private static final Message PROGRESS =
            new Message.Activity("p1", "PLAN", Json.MAPPER.createObjectNode().put("step", 1), null, null);
    private static final Message THOUGHT = new Message.Reasoning("t1", "hm", null, null, null);

    @Test
    void newMessages_areTheUnknownOnes_inOrder() {
        FullHistoryMerge history = FullHistoryMerge.of(
                input(user("u1"), assistant("a1"), tool("r1", "c1"), user("u2"), tool("r2", "c2"), user("u3")),
                Map.of("u1", 1L, "r1", 3L));
        assertThat(history.users()).extracting(Message.User::id).containsExactly("u2", "u3");
        assertThat(history.results()).extracting(Message.Tool::id).containsExactly("r2");
        assertThat(history.lastUser()).isEmpty();
        assertThat(history.lastResult()).isEmpty();
    }

    @Test
    void repeatedId_countsOnce_withItsFirstText() {
        FullHistoryMerge history = FullHistoryMerge.of(
                input(new Message.User("u1", "first"), new Message.User("u1", "second"), user("u2")), Map.of());
        assertThat(history.users())
                .extracting(user -> user.content().plainText())
                .containsExactly("first", "text of u2");
    }

    @Test
    void unknownMessagesOfOtherRoles_areGivenInTheirOrder() {
        Message forged = assistant("a1");
        Message.Tool result = tool("r1", "c1");
        FullHistoryMerge history =
                FullHistoryMerge.of(input(SYSTEM, forged, result, THOUGHT, PROGRESS, DEVELOPER, user("u1")), Map.of());
        assertThat(history.given()).containsExactly(SYSTEM, forged, result, THOUGHT, PROGRESS, DEVELOPER);
        assertThat(history.users()).hasSize(1);
    }

    @Test
    void knownMessages_areNotGiven() {
        Map<String, Long> known = Map.of("u1", 1L, "a1", 2L, "r1", 3L);
        Message added = assistant("a2");
        FullHistoryMerge history = FullHistoryMerge.of(
                input(user("u1"), THOUGHT, assistant("a1"), tool("r1", "c1"), PROGRESS, added, user("u2")), known);
        assertThat(history.given())
                .as("thoughts and progress after a known question are what its run streamed")
                .containsExactly(added);
    }

    @Test
    void thoughtsAfterAnUnknownQuestion_areGiven() {
        FullHistoryMerge history =
                FullHistoryMerge.of(input(user("u1"), user("u2"), THOUGHT, user("u3")), Map.of("u1", 1L));
        assertThat(history.given()).containsExactly(THOUGHT);
    }

    @Test
    void lastUser_isTheLastUserMessageIfTheLogKnowsIt() {
        Map<String, Long> known = Map.of("u1", 1L, "u2", 7L);
        assertThat(FullHistoryMerge.of(input(user("u1"), user("u2"), assistant("a1")), known)
                        .lastUser())
                .contains(7L);
        assertThat(FullHistoryMerge.of(input(user("u2"), user("u1")), known).lastUser())
                .contains(1L);
        assertThat(FullHistoryMerge.of(input(user("u2"), user("new")), known).lastUser())
                .isEmpty();
        assertThat(FullHistoryMerge.of(input(assistant("a1")), known).lastUser())
                .isEmpty();
    }

    @Test
    void lastResult_isEmptyAfterALaterMessage() {
        assertThat(FullHistoryMerge.of(input(user("u1"), tool("r1", "c1"), tool("r2", "c2")), Map.of())
                        .lastResult())
                .contains("c2");
        assertThat(FullHistoryMerge.of(input(tool("r1", "c1"), THOUGHT, SYSTEM), Map.of("r1", 2L))
                        .lastResult())
                .contains("c1");
        assertThat(FullHistoryMerge.of(input(tool("r1", "c1"), assistant("a1")), Map.of("r1", 2L))
                        .lastResult())
                .isEmpty();
        assertThat(FullHistoryMerge.of(input(tool("r1", "c1"), user("u1")), Map.of("r1", 2L, "u1", 3L))
                        .lastResult())
                .isEmpty();
    }

    @Test
    void ids_areThoseOfPossibleEntries() {
        assertThat(FullHistoryMerge.ids(input(SYSTEM, user("u1"), assistant("a1"), tool("r1", "c1"), THOUGHT)))
                .containsExactly("u1", "a1", "r1");
    }
}
