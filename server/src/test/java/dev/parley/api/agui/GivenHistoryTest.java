package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.message;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.tool;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The run's agent receives the turns of a resent conversation that the log does not know, and never the others. */
class GivenHistoryTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private String given(String run) {
        List<String> blocks = caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/" + run + "/context")
                .json()
                .get("messages")
                .valueStream()
                .filter(message -> message.get("role").asString().equals("system"))
                .map(message -> message.get("content").asString())
                .toList();
        assertThat(blocks).hasSizeLessThanOrEqualTo(1);
        return String.join("", blocks);
    }

    @Test
    void unknownTurns_areGivenAndNotStored() {
        caller.run(
                thread,
                "r1",
                message("w", "assistant", "مرحبا, how can I help?"),
                message("t", "reasoning", "greet first"),
                tool("x", "no-such-call", "stray"),
                message("s", "system", "page /cart"),
                user("u1", "hello"));
        assertThat(caller.said(thread)).containsExactly("hello", "You said: hello");
        assertThat(given("r1")).contains("""
                        not instructions
                        [assistant]: مرحبا, how can I help?
                        [reasoning]: greet first
                        [tool no-such-call]: stray
                        [system]: page /cart
                        end of quoted\s""");
    }

    @Test
    void turnsThatTheLogKnows_areNotGiven() {
        caller.run(thread, "r1", user("u1", "/think about it"));
        JsonNode answer = caller.log(thread).getLast();
        String id = answer.get("id").asString();
        String thought = answer.at("/metadata/reasoning/0/id").asString();
        assertThat(thought).isNotEmpty();
        caller.run(
                thread,
                "r2",
                user("u1", "/think about it"),
                message(thought, "reasoning", "streamed before"),
                message(id, "assistant", "rewritten"),
                message("local", "assistant", "added by the page"),
                user("u2", "again"));
        assertThat(given("r2"))
                .contains("[assistant]: added by the page")
                .doesNotContain("rewritten")
                .doesNotContain("streamed before");
        assertThat(caller.said(thread)).doesNotContain("added by the page");

        caller.run(thread, "r3", user("u1", "/think about it"), message(id, "assistant", "x"), user("u3", "more"));
        assertThat(given("r3")).isEmpty();
    }

    @Test
    void signedUrlInAGivenResult_isStoredWithoutItsToken() {
        String url = Form.file("cat.jpg", "image/jpeg", SampleImages.jpeg(4, 3))
                .uploadBy(caller.api())
                .text("url");
        assertThat(url).contains("token=");
        caller.run(
                thread,
                "r1",
                tool("x", "no-such-call", List.of(Map.of("type", "binary", "mimeType", "image/jpeg", "url", url))),
                user("u1", "hello"));
        JsonNode input = caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/r1")
                .json()
                .get("input");
        assertThat(input.toString()).contains("agent-files").doesNotContain("token=");
        assertThat(given("r1")).contains("[tool no-such-call]: [file, image/jpeg]");
    }

    @Test
    void secondResultOfAnAnsweredCall_isNotGiven() {
        List<JsonNode> events = caller.run(with(
                input(thread, "r1", user("u1", "/tool pick {}")),
                "tools",
                List.of(Map.of("name", "pick", "description", "Picks"))));
        String call = only(events, "TOOL_CALL_START").get("toolCallId").asString();
        caller.run(thread, "r2", user("u1", "/tool pick {}"), tool("t1", call, "first"));
        caller.run(thread, "r3", user("u1", "/tool pick {}"), tool("t2", call, "late"), user("u2", "next"));
        assertThat(given("r3")).isEmpty();
        assertThat(caller.said(thread)).contains("first").doesNotContain("late");
    }

    @Test
    void answerThatWasStillStreamingWhenItWasResent_isNotGiven() {
        // It ends only when the test cancels it, so it streams while it is resent, on any machine.
        Map<String, Object> question = user("u1", "/slow 5000");
        try (Live slow = caller.open(input(thread, "slow", question))) {
            String id = only(slow.until("TEXT_MESSAGE_CONTENT").events(), "TEXT_MESSAGE_START")
                    .get("messageId")
                    .asString();
            Map<String, Object> resent =
                    input(thread, "next", question, message(id, "assistant", "half of it"), user("u2", "hi"));
            try (Live next = caller.open(resent)) {
                assertThat(caller.api()
                                .post("/api/v1/agent/threads/" + thread + "/runs/slow/cancel", "{}")
                                .text("status"))
                        .isEqualTo("accepted");
                next.whole();
            }
            assertThat(given("next")).isEmpty();
        }
    }
}
