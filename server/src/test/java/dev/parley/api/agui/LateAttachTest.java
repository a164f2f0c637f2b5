package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.DrivingAgent.event;
import static dev.parley.api.agui.DrivingAgent.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import dev.parley.testing.TableBarrier;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * A viewer that attaches to a run while another request replaces its answer ends with the answer that stands. The
 * attaching request is held between finding its run and reading the conversation.
 */
class LateAttachTest {
    /** The table that an attaching request reads between finding its run and reading the conversation. */
    private static final String BETWEEN = "thread_states";

    private static final Map<String, Object> QUESTION = user("u1", "你好؟ 🙂");
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final ExecutorService REQUESTS = Executors.newVirtualThreadPerTaskExecutor();
    private static RunningServer server;

    private AguiCaller caller;
    private DrivingAgent agent;
    private String thread;

    @BeforeAll
    static void start() {
        server = RunningServer.start(
                "--rate-limits",
                "off",
                "--operators",
                OPERATOR.toString(),
                "--limit-database-lock",
                TableBarrier.LIMIT.toSeconds() + "s");
    }

    @AfterAll
    static void stop() {
        server.close();
        REQUESTS.shutdownNow();
    }

    @BeforeEach
    void meet() {
        caller = AguiCaller.somebody(server);
        agent = DrivingAgent.of(caller, server);
        thread = UUID.randomUUID().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "connect"})
    void attachToARunThatIsReplacedMeanwhileShowsTheReplacement(String way) throws Exception {
        try (Live first = ask("r1")) {
            DrivingAgent.Driving driving = answer("r1", "first answer");
            CompletableFuture<Live> late;
            try (TableBarrier barrier = TableBarrier.before(server, BETWEEN)) {
                late = later(way, "late");
                barrier.awaitHeld(1);
                driving.post(finished());
                first.whole();
                askAgain("r2");
            }
            answer("r2", "second answer").post(finished());
            assertThat(shownTo(late)).contains("second answer").doesNotContain("first answer");
        }
    }

    @Test
    void attachToARunWhoseReplacementIsOverShowsItsAnswer() throws Exception {
        try (Live first = ask("r1")) {
            DrivingAgent.Driving driving = answer("r1", "first answer");
            CompletableFuture<Live> late;
            try (TableBarrier barrier = TableBarrier.before(server, BETWEEN)) {
                late = later("run", "late");
                barrier.awaitHeld(1);
                driving.post(finished());
                first.whole();
                askAgain("r2");
                answer("r2", "second answer").post(finished());
                askAgain("r3");
                answer("r3", "third answer").post(finished());
            }
            assertThat(shownTo(late)).contains("third answer").doesNotContain("first answer", "second answer");
        }
    }

    @Test
    void connectToAnIdleThreadInWhichARunBeginsMeanwhileFollowsThatRun() throws Exception {
        asked("r1", "first answer");
        CompletableFuture<Live> late;
        try (TableBarrier barrier = TableBarrier.before(server, BETWEEN)) {
            late = later("connect", "late");
            barrier.awaitHeld(1);
            askAgain("r2");
        }
        answer("r2", "second answer").post(finished());
        assertThat(shownTo(late)).contains("second answer").doesNotContain("first answer");
    }

    @Test
    void repeatedRunIdOfAReplacedRunShowsTheAnswerThatStands() {
        asked("r1", "first answer");
        asked("r2", "second answer");
        List<JsonNode> events = AguiCaller.events(caller.post(agent.runPath(), input(thread, "r1", QUESTION)));
        assertThat(ClientView.of(events).shown()).contains("second answer").doesNotContain("first answer");
        assertThat(only(events, "RUN_STARTED").get("runId").asString()).isEqualTo("r1");
        assertThat(only(events, "RUN_STARTED").at("/metadata/runId").asString()).isEqualTo("r2");
    }

    @Test
    void repeatedRunIdWhileItsReplacementGoesOnFollowsTheReplacement() {
        asked("r1", "first answer");
        ask("r2").close();
        try (Live again = ask("r1")) {
            answer("r2", "second answer").post(finished());
            assertThat(ClientView.of(again.whole()).shown()).contains("second answer");
        }
    }

    /** No other run answered the question: the cancelled run's missing text does not hide the answer. */
    @Test
    void repeatedRunIdOfARunWhoseReplacementWasCancelledBeforeItEndedShowsItsOwnAnswer() {
        try (Live first = ask("r1")) {
            DrivingAgent.Driving driving = answer("r1", "first answer");
            askAgain("r2");
            cancel("r2");
            driving.post(finished());
            first.whole();
            assertStands("first answer");
        }
    }

    /** The run ended as a superseded one before its replacement was cancelled. */
    @Test
    void repeatedRunIdOfARunThatEndedBeforeItsReplacementWasCancelledShowsItsOwnAnswer() {
        try (Live first = ask("r1")) {
            DrivingAgent.Driving driving = answer("r1", "first answer");
            askAgain("r2");
            askAgain("r3");
            driving.post(finished());
            first.whole();
            assertThat(standing()).isEmpty();
            cancel("r2");
            assertThat(standing())
                    .as("another run still regenerates the answer")
                    .isEmpty();
            cancel("r3");
            assertStands("first answer");
        }
    }

    @Test
    void repeatedRunIdOfARunWhoseLaterReplacementWasCancelledShowsItsOwnAnswer() {
        asked("r1", "first answer");
        askAgain("r2");
        assertThat(standing()).isEmpty();
        cancel("r2");
        assertStands("first answer");
        asked("r3", "third answer");
        assertThat(standing()).as("it is regenerated as before").containsExactly("third answer");
    }

    /** The server remembers from turn to turn the messages that an agent was shown. */
    @Test
    void answerWhoseReplacementWasCancelledIsShownToTheNextAgent() {
        asked("r1", "first answer");
        askAgain("r2");
        assertThat(contextOf("d1", user("u2", "one"))).doesNotContain("first answer");
        cancel("r2");
        assertThat(contextOf("d2", user("u3", "two"))).contains("first answer");
    }

    private String contextOf(String run, Map<String, Object> question) {
        caller.run(AguiCaller.with(input(thread, run, question), "forwardedProps", Map.of("agentId", "demo")));
        return caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/" + run + "/context")
                .json()
                .get("messages")
                .toString();
    }

    @Test
    void replacementThatFailedOrWasCancelledInMidAnswer() {
        asked("r1", "first answer");
        askAgain("r2");
        agent.drive(thread, "r2").post(event("RUN_ERROR", "message", "没有"));
        assertStands("first answer");
        askAgain("r3");
        answer("r3", "half an answer");
        cancel("r3");
        assertThat(standing()).as("a partial answer counts as an answer").containsExactly("half an answer");
    }

    private void cancel(String run) {
        String cancel = "/api/v1/agent/threads/" + thread + "/runs/" + run + "/cancel";
        assertThat(caller.api().post(cancel, "{}").text("status")).isEqualTo("accepted");
    }

    /** In the chat's list, the history and AG-UI's snapshot. */
    private void assertStands(String answer) {
        assertThat(standing()).containsExactly(answer);
        JsonNode day = caller.api()
                .get("/api/v1/agent/history?threadId=" + thread)
                .json()
                .get("messages");
        assertThat(day.valueStream()
                        .filter(message -> message.get("role").asString().equals("assistant"))
                        .filter(message -> !message.at("/metadata/superseded").asBoolean(false)))
                .singleElement()
                .satisfies(
                        message -> assertThat(message.get("content").asString()).isEqualTo(answer));
        try (Live again = ask("r1")) {
            assertThat(ClientView.of(again.whole()).shown()).contains(answer);
        }
    }

    @Test
    void repeatedRunIdOfARunThatWasRolledBackShowsTheRunThatTookItsPlace() {
        AguiCaller.events(caller.post(input(thread, "r0", user("u0", "before"))));
        // Long enough for any machine: the run is rolled back and never comes to its end.
        try (Live first = caller.open(input(thread, "r1", user("u1", "/slow 5000")))) {
            first.until("TEXT_MESSAGE_CONTENT");
            List<JsonNode> second = caller.run(AguiCaller.with(
                    input(thread, "r2", user("u2", "instead")),
                    "forwardedProps",
                    Map.of("multitaskStrategy", "rollback")));
            assertThat(ClientView.of(second).shown()).contains("You said: instead");
            assertThat(ClientView.of(caller.run(input(thread, "r1", user("u1", "/slow 5000"))))
                            .shown())
                    .contains("You said: instead");
        }
    }

    @Test
    void runWhoseQuestionIsAskedAgainBeforeItEndsLeavesAReplacedAnswer() {
        try (Live first = ask("r1")) {
            DrivingAgent.Driving driving = answer("r1", "first answer");
            askAgain("r2");
            driving.post(finished());
            first.whole();
            answer("r2", "second answer").post(finished());
            assertThat(standing()).containsExactly("second answer");
        }
    }

    @Test
    void runOfThisNodeWhoseQuestionIsAskedAgainBeforeItEndsLeavesAReplacedAnswer() {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedAgent remote = new ScriptedAgent()) {
            String id = server.api(OPERATOR, "Root")
                    .post(
                            "/api/v1/owner/agents",
                            Json.MAPPER.writeValueAsString(Map.of(
                                    "kind",
                                    "agui",
                                    "display_name",
                                    "Far",
                                    "visibility",
                                    "shared",
                                    "config",
                                    Map.of("url", remote.url()))))
                    .text("agent_id");
            remote.then((request, answer) -> {
                answer.start(request);
                answer.events("{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m1\",\"delta\":\"first answer\"}");
                asked.await();
                answer.finish(request);
            });
            remote.says("{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m2\",\"delta\":\"second answer\"}");
            String path = "/api/v1/agui/agent/" + id + "/run";
            try (Live first = caller.open(path, input(thread, "r1", QUESTION))) {
                first.until("TEXT_MESSAGE_CONTENT");
                askAgain("r2", id);
                asked.countDown();
                first.whole();
                try (Live second = caller.open(path, input(thread, "r2", QUESTION))) {
                    second.whole();
                }
                assertThat(standing()).containsExactly("second answer");
            }
        } finally {
            asked.countDown();
        }
    }

    /** The answers that no later one has replaced. */
    private List<String> standing() {
        return caller.log(thread).stream()
                .filter(message -> message.get("role").asString().equals("assistant"))
                .filter(message -> !message.at("/metadata/superseded").asBoolean(false))
                .map(message -> message.get("content").asString())
                .toList();
    }

    private Live ask(String run) {
        return caller.open(agent.runPath(), input(thread, run, QUESTION));
    }

    /** Regenerates the answer on the agent face, which reads nothing that the barrier holds. */
    private void askAgain(String run) {
        askAgain(run, agent.id());
    }

    private void askAgain(String run, String agentId) {
        Map<String, Object> input = Map.of(
                "threadId",
                thread,
                "runId",
                run,
                "messages",
                List.of(QUESTION),
                "forwardedProps",
                Map.of("regenerateFrom", "u1", "agentId", agentId));
        assertThat(caller.post("/api/v1/agent/runs", input).status()).isEqualTo(202);
    }

    private void asked(String run, String answer) {
        try (Live live = ask(run)) {
            answer(run, answer).post(finished());
            live.whole();
        }
    }

    /** The agent's text, without the end of its run. */
    private DrivingAgent.Driving answer(String run, String text) {
        String id = run + "-text";
        return agent.drive(thread, run)
                .post(
                        event("TEXT_MESSAGE_START", "messageId", id, "role", "assistant"),
                        event("TEXT_MESSAGE_CONTENT", "messageId", id, "delta", text),
                        event("TEXT_MESSAGE_END", "messageId", id));
    }

    private CompletableFuture<Live> later(String way, String run) {
        String path = way.equals("run") ? agent.runPath() : agent.connectPath();
        return CompletableFuture.supplyAsync(() -> caller.open(path, input(thread, run, QUESTION)), REQUESTS);
    }

    private static String shownTo(CompletableFuture<Live> late) throws Exception {
        try (Live live = late.get(30, TimeUnit.SECONDS)) {
            return ClientView.of(live.whole()).shown();
        }
    }
}
