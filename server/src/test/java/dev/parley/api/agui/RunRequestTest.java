package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.events;
import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.message;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.shownIds;
import static dev.parley.api.agui.AguiCaller.tool;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The effects of a run request: an existing run, decisions, results, a question, or a regenerated answer. */
class RunRequestTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    /** Another user who may run in the thread. */
    private AguiCaller friend() {
        UUID other = UUID.randomUUID();
        Api.Reply joined = caller.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"user:" + other + "\"]}");
        assertThat(joined.status()).as(joined.toString()).isLessThan(300);
        return new AguiCaller(server, other, server.api(other, "Friend"));
    }

    private static Map<String, Object> decision(String interrupt, String status) {
        return Map.of("interruptId", interrupt, "status", status, "payload", Map.of("approved", true));
    }

    private String askForApproval(String run, String message) {
        List<JsonNode> events = caller.run(thread, run, user(message, "/approve Go on?"));
        return only(events, "RUN_FINISHED").at("/outcome/interrupts/0/id").asString();
    }

    @Test
    void runIdOfAnotherUserIsTaken() {
        caller.run(thread, "r1", user("u1", "hello"));
        Api.Reply refused = friend().post(input(thread, "r1", user("u9", "hello")));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("key-reused");
        assertThat(caller.log(thread)).hasSize(2);
    }

    @Test
    void runIdOfAFinishedRunReplaysItsStreamAndEnd() {
        caller.run(thread, "r1", user("u1", "hello"));
        List<JsonNode> again = caller.run(thread, "r1", user("u1", "hello"), user("u2", "never said"));
        assertThat(types(again)).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(again.getLast().at("/outcome/type").asString()).isEqualTo("success");
        assertThat(ClientView.of(again).shown()).contains("user u1: hello", "You said: hello");
        assertThat(caller.said(thread)).hasSize(2);
        List<JsonNode> failed = caller.run(thread, "r2", user("u2", "/fail"));
        List<JsonNode> failedAgain = caller.run(thread, "r2", user("u2", "/fail"));
        assertThat(failedAgain.getLast().get("code")).isEqualTo(failed.getLast().get("code"));
        assertThat(failedAgain.getLast().get("message"))
                .isEqualTo(failed.getLast().get("message"));
        assertThat(types(failedAgain)).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_ERROR");
    }

    @Test
    void decisionsResumeAndAreAskedForOnce() {
        String interrupt = askForApproval("r1", "u1");
        List<JsonNode> shownAgain = caller.run(thread, "r1", user("u1", "/approve Go on?"));
        assertThat(only(shownAgain, "RUN_FINISHED")
                        .at("/outcome/interrupts/0/id")
                        .asString())
                .isEqualTo(interrupt);
        assertThat(only(caller.connect(thread), "RUN_FINISHED")
                        .at("/outcome/interrupts/0/id")
                        .asString())
                .isEqualTo(interrupt);
        Map<String, Object> resume = with(input(thread, "r2"), "resume", List.of(decision(interrupt, "resolved")));
        List<JsonNode> resumed = caller.run(resume);
        assertThat(types(resumed)).endsWith("RUN_FINISHED").contains("TEXT_MESSAGE_CONTENT");
        assertThat(caller.run(thread, "r1").getLast().at("/outcome/type").asString())
                .isEqualTo("success");
        assertThat(caller.connect(thread).getLast().at("/outcome/type").asString())
                .isEqualTo("success");
        // The same request again is the same run; another request finds no open question.
        assertThat(types(caller.run(resume))).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        int entries = caller.log(thread).size();
        Api.Reply twice = caller.post(with(resume, "runId", "r3"));
        assertThat(twice.status()).as(twice.toString()).isEqualTo(400);
        assertThat(caller.log(thread)).hasSize(entries);
        assertThat(caller.runs(thread)).hasSize(2);
    }

    @Test
    void decisionsMustCoverEverythingThatIsOpen() {
        String first = askForApproval("r1", "u1");
        String second = askForApproval("r2", "u2");
        assertThat(second).isNotEqualTo(first);
        int entries = caller.log(thread).size();
        Api.Reply half = caller.post(
                with(input(thread, "r3", user("u3", "well?")), "resume", List.of(decision(first, "resolved"))));
        assertThat(half.status()).isEqualTo(400);
        assertThat(half.json().at("/errors/0/field").asString()).isEqualTo("resume");
        assertThat(half.json().at("/errors/0/message").asString()).contains(second);
        assertThat(caller.log(thread)).hasSize(entries);
        List<JsonNode> whole = caller.run(with(
                input(thread, "r3"), "resume", List.of(decision(first, "resolved"), decision(second, "cancelled"))));
        assertThat(types(whole)).endsWith("RUN_FINISHED");
        assertThat(whole.getLast().at("/outcome/type").asString()).isEqualTo("success");
    }

    @Test
    void concurrentDecisionsCountOnce() {
        String interrupt = askForApproval("r1", "u1");
        List<Api.Reply> all = Race.of(
                4,
                i -> caller.post(
                        with(input(thread, "resume-" + i), "resume", List.of(decision(interrupt, "resolved")))));
        assertThat(all).filteredOn(reply -> reply.status() == 200).hasSize(1);
        assertThat(all).filteredOn(reply -> reply.status() == 400).hasSize(3);
        assertThat(caller.runs(thread)).hasSize(2);
    }

    @Test
    void resumeWithoutAnOpenQuestionIsRefused() {
        Api.Reply unknown = caller.post(with(input(thread, "r1"), "resume", List.of(decision("x", "resolved"))));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.json().at("/errors/0/field").asString()).isEqualTo("resume[0].interruptId");
        caller.run(thread, "r1", user("u1", "hello"));
        Api.Reply twice = caller.post(
                with(input(thread, "r2"), "resume", List.of(decision("x", "resolved"), decision("x", "cancelled"))));
        assertThat(twice.status()).isEqualTo(400);
    }

    @Test
    void theResultOfAPendingCallContinues() {
        Map<String, Object> asks = with(
                input(thread, "r1", user("u1", "/tool pick {}")),
                "tools",
                List.of(Map.of("name", "pick", "description", "picks")));
        String call =
                only(caller.run(asks), "TOOL_CALL_START").get("toolCallId").asString();
        List<JsonNode> continued =
                caller.run(thread, "r2", user("u1", "/tool pick {}"), tool("t1", call, "the blue one"));
        assertThat(types(continued)).doesNotContain("MESSAGES_SNAPSHOT").endsWith("RUN_FINISHED");
        assertThat(caller.log(thread))
                .filteredOn(message -> message.get("role").asString().equals("tool"))
                .singleElement()
                .satisfies(message -> assertThat(message.get("id").asString()).isEqualTo("t1"));
        assertThat(caller.said(thread).getLast()).contains("the blue one");
        // Sent once more, the list ends with an entry that the log knows: the run that it started is shown.
        List<JsonNode> again = caller.run(thread, "r3", user("u1", "/tool pick {}"), tool("t1", call, "the blue one"));
        assertThat(types(again)).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(caller.runs(thread)).hasSize(2);
    }

    @Test
    void requestWithoutNewMessagesAttachesToAnUnfinishedRun() {
        try (Live first = caller.open(input(thread, "r1", user("u1", "/slow 2000")))) {
            first.until("TEXT_MESSAGE_CONTENT");
            try (Live second = caller.open(input(thread, "r2", user("u1", "/slow 2000")))) {
                second.until("TEXT_MESSAGE_CONTENT");
                assertThat(second.events().getFirst().get("runId").asString()).isEqualTo("r2");
                assertThat(second.events().getFirst().at("/metadata/runId").asString())
                        .isEqualTo("r1");
                assertThat(caller.runs(thread)).hasSize(1);
                caller.api().post("/api/v1/agent/threads/" + thread + "/runs/r1/cancel", "{}");
                assertThat(second.whole().getLast().get("runId").asString()).isEqualTo("r2");
                assertThat(second.whole().getLast().at("/outcome/type").asString())
                        .isEqualTo("cancelled");
                assertThat(ClientView.of(second.whole()).shown())
                        .isEqualTo(ClientView.of(first.whole(), user("u1", "/slow 2000"))
                                .shown());
            }
        }
    }

    @Test
    void requestWithoutNewMessagesRegeneratesAFinishedAnswer() {
        caller.run(thread, "r1", user("u1", "hello"));
        List<JsonNode> again = caller.run(thread, "r2", user("u1", "hello"));
        assertThat(types(again)).doesNotContain("MESSAGES_SNAPSHOT").contains("TEXT_MESSAGE_CONTENT");
        List<JsonNode> log = caller.log(thread);
        assertThat(log).hasSize(3);
        assertThat(log.get(1).at("/metadata/superseded").asBoolean()).isTrue();
        assertThat(shownIds(caller.connect(thread)))
                .containsExactly("u1", log.get(2).get("id").asString());
    }

    /**
     * The list was cut after an earlier question: that question is answered again, and later answers are superseded.
     */
    @Test
    void aListThatEndsEarlierIsAnsweredFromThere() {
        caller.run(thread, "r1", user("u1", "one"));
        caller.run(thread, "r2", user("u2", "two"));
        List<JsonNode> again = caller.run(thread, "r3", user("u1", "one"));
        assertThat(ClientView.of(again, user("u1", "one")).shown()).contains("You said: one");
        assertThat(ClientView.of(caller.connect(thread)).shown())
                .contains("user u1: one", "user u2: two", "You said: one")
                .doesNotContain("You said: two");
    }

    @Test
    void questionIsRegeneratedByAnyParticipantAndChangedByItsAuthorOnly() {
        caller.run(thread, "r1", user("u1", "hello"));
        AguiCaller friend = friend();
        assertThat(types(friend.run(thread, "r2", user("u1", "hello")))).endsWith("RUN_FINISHED");
        Map<String, Object> edit =
                with(input(thread, "r3", user("u2", "good evening")), "forwardedProps", Map.of("regenerateFrom", "u1"));
        assertThat(friend.post(edit).status()).isEqualTo(403);
        assertThat(types(caller.run(edit))).endsWith("RUN_FINISHED");
        assertThat(shownIds(caller.connect(thread))).hasSize(2).startsWith("u2");
        Api.Reply nothing = caller.post(
                with(input(thread, "r4", user("u1", "hello")), "forwardedProps", Map.of("regenerateFrom", "nothing")));
        assertThat(nothing.status()).isEqualTo(400);
        assertThat(nothing.json().at("/errors/0/field").asString()).isEqualTo("forwardedProps.regenerateFrom");
    }

    @Test
    void aRunWithoutMessagesRuns() {
        assertThat(types(caller.run(thread, "r1"))).startsWith("RUN_STARTED").endsWith("RUN_FINISHED");
        caller.run(thread, "r2", user("u1", "hello"));
        assertThat(types(caller.run(thread, "r3", message("s1", "system", "be brief"))))
                .startsWith("RUN_STARTED")
                .endsWith("RUN_FINISHED");
        assertThat(caller.said(thread)).contains("hello").doesNotContain("be brief");
    }

    @Test
    void clientDecidesTheFateOfAnActiveRun() {
        try (Live slow = caller.open(input(thread, "slow", user("u1", "/slow 2000")))) {
            slow.until("TEXT_MESSAGE_CONTENT");
            Map<String, Object> next = input(thread, "next", user("u1", "/slow 2000"), user("u2", "hello"));
            Api.Reply rejected = caller.post(with(next, "forwardedProps", Map.of("multitaskStrategy", "reject")));
            assertThat(rejected.status()).as(rejected.toString()).isEqualTo(409);
            assertThat(caller.said(thread)).doesNotContain("hello");
            assertThat(types(events(
                            caller.post(with(next, "forwardedProps", Map.of("multitaskStrategy", "interrupt"))))))
                    .endsWith("RUN_FINISHED");
            assertThat(slow.whole().getLast().at("/outcome/type").asString()).isEqualTo("cancelled");
        }
        assertThat(caller.post(with(
                                input(thread, "r3", user("u3", "x")),
                                "forwardedProps",
                                Map.of("multitaskStrategy", "maybe")))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void anArchivedThreadTakesNoRunButIsShown() {
        caller.run(thread, "r1", user("u1", "hello"));
        caller.api().patch("/api/v1/chat/threads/" + thread + "/archive", "{}");
        Api.Reply refused = caller.post(input(thread, "r2", user("u2", "hello?")));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("thread-archived");
        assertThat(types(caller.run(thread, "r1"))).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
        assertThat(shownIds(caller.connect(thread))).hasSize(2);
    }

    @Test
    void threadOfAnotherUserIsNotFound() {
        caller.run(thread, "r1", user("u1", "hello"));
        AguiCaller stranger = AguiCaller.somebody(server);
        assertThat(stranger.post(input(thread, "r2", user("u2", "hello"))).status())
                .isEqualTo(404);
        assertThat(stranger.post(AguiCaller.CONNECT, input(thread, "r2")).status())
                .isEqualTo(404);
        assertThat(stranger.api()
                        .post("/api/v1/agui/agent/default/stop/" + thread, "{}")
                        .status())
                .isEqualTo(404);
    }

    /** The first answer arrives when it is already replaced. */
    @Test
    void questionRegeneratedBeforeItsAnswerHasOneAnswer() {
        try (Live first = caller.open(input(thread, "r1", user("u1", "/slow 30")))) {
            first.until("TEXT_MESSAGE_CONTENT");
            caller.run(with(
                    input(thread, "r2", user("u1", "/slow 30")), "forwardedProps", Map.of("regenerateFrom", "u1")));
            first.whole();
        }
        assertThat(caller.log(thread))
                .filteredOn(message -> message.get("role").asString().equals("assistant")
                        && !message.path("metadata").path("superseded").asBoolean(false))
                .extracting(message -> message.path("metadata").path("run_id").asString())
                .containsExactly("r2");
        assertThat(shownIds(caller.connect(thread))).hasSize(2);
    }

    @Test
    void regeneratedQuestionClosesLaterInterrupts() {
        caller.run(thread, "r1", user("u1", "hello"));
        String asked = askForApproval("r2", "u2");
        caller.run(thread, "r3", user("u1", "hello"));
        assertThat(caller.connect(thread).getLast().at("/outcome/type").asString())
                .isEqualTo("success");
        Api.Reply late = caller.post(with(input(thread, "r4"), "resume", List.of(decision(asked, "resolved"))));
        assertThat(late.status()).isEqualTo(400);
    }

    @Test
    void aQuestionThatWasTakenBackIsNotAnsweredAgain() {
        caller.run(thread, "r1", user("u1", "hello"));
        caller.api().delete("/api/v1/chat/threads/" + thread + "/messages/u1");
        caller.run(thread, "r2", user("u1", "hello"));
        assertThat(caller.runs(thread)).hasSize(1);
    }

    @Test
    void unknownAgentIsNotFound() {
        caller.run(thread, "r1", user("u1", "hello"));
        for (String route : List.of("run", "connect", "stop/" + thread)) {
            Api.Reply reply = caller.post(
                    "/api/v1/agui/agent/" + UUID.randomUUID() + "/" + route, input(thread, "r2", user("u2", "hello")));
            assertThat(reply.status()).as(route).isEqualTo(404);
            assertThat(reply.json().at("/error/code").asString()).isEqualTo("agent-not-found");
        }
    }
}
