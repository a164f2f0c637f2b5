package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A run that starts while another one of the same agent is active; cancelling; regenerating answers. */
class MultitaskTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private Api.Reply start(String run, String text, String strategy) {
        Map<String, Object> input = AgentCaller.input(thread, run, text);
        input.put("forwardedProps", Map.of("multitaskStrategy", strategy));
        return caller.start(input);
    }

    private void startSlow(String run) {
        assertThat(start(run, "/slow 2000", "enqueue").status()).isEqualTo(202);
        // Waits until the run has visible output.
        caller.frames(
                "/api/v1/agent/runs/" + thread + "/events?runId=" + run,
                frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
    }

    private String state(String run) {
        return caller.run(thread, run).get("state").asString();
    }

    @Test
    void runsOfOneAgentWaitForEachOther() {
        startSlow("slow");
        assertThat(start("next", "hello", "enqueue").status()).isEqualTo(202);
        assertThat(start("then", "hello again", "enqueue").status()).isEqualTo(202);
        assertThat(state("next")).isEqualTo("queued");
        caller.cancel(thread, "slow");
        caller.follow(thread, "next");
        caller.follow(thread, "then");
        long next = caller.run(thread, "next").get("lastEvent").asLong();
        assertThat(caller.run(thread, "then").get("firstEvent").asLong()).isGreaterThan(next);
    }

    @Test
    void anotherRunMayBeRefused() {
        startSlow("slow");
        Api.Reply refused = start("next", "hello", "reject");
        assertThat(refused.problem()).contains("run-active");
        assertThat(caller.messages(thread)).hasSize(1);
        caller.cancel(thread, "slow");
        assertThat(start("next", "hello", "reject").status()).isEqualTo(202);
    }

    @Test
    void anInterruptedRunKeepsItsPartOfTheAnswer() {
        startSlow("slow");
        assertThat(start("next", "hello", "interrupt").status()).isEqualTo(202);
        assertThat(state("slow")).isEqualTo("cancelled");
        List<AgentCaller.Frame> frames = caller.follow(thread, "slow");
        assertThat(frames.getLast().data().at("/outcome/type").asString()).isEqualTo("cancelled");
        caller.follow(thread, "next");
        JsonNode partial = caller.messages(thread).stream()
                .filter(message -> message.at("/metadata/partial").asBoolean(false))
                .findFirst()
                .orElseThrow();
        assertThat(partial.get("content").asString())
                .isEqualTo(AgentCaller.texts(frames).values().iterator().next());
    }

    @Test
    void rolledBackRunCountsNoLonger() {
        startSlow("slow");
        assertThat(start("next", "hello", "rollback").status()).isEqualTo(202);
        assertThat(state("slow")).isEqualTo("cancelled");
        caller.follow(thread, "next");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .contains("/slow 2000", "hello", "You said: hello")
                .hasSize(4);
        // The question that was rolled back, and its partial answer, under the id by which it was seen.
        String streamed = AgentCaller.texts(caller.follow(thread, "slow"))
                .keySet()
                .iterator()
                .next();
        assertThat(messages)
                .filteredOn(message -> message.at("/metadata/withdrawn").asBoolean(false))
                .extracting(message -> message.get("id").asString())
                .containsExactlyInAnyOrder(messages.getFirst().get("id").asString(), streamed);
        assertThat(caller.api()
                        .get("/api/v1/chat/threads/" + thread + "/events")
                        .json()
                        .get("events"))
                .filteredOn(event -> event.get("event_type").asString().equals("message_revised"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.at("/metadata/target_seq").asLong()).isEqualTo(1));
    }

    @Test
    void queuedRunIsNotRolledBackWithTheActiveOne() {
        startSlow("active");
        assertThat(start("queued", "/slow 40", "enqueue").status()).isEqualTo(202);
        assertThat(start("late", "hello", "rollback").status()).isEqualTo(202);
        assertThat(state("active")).isEqualTo("cancelled");
        caller.follow(thread, "late");
        assertThat(state("queued")).isEqualTo("completed");
        assertThat(caller.messages(thread))
                .filteredOn(message -> message.at("/metadata/withdrawn").asBoolean(false))
                .extracting(message -> message.get("content").asString())
                .hasSize(2)
                .contains("/slow 2000");
    }

    @Test
    void rollingBackANewAnswerKeepsTheQuestion() {
        caller.start(thread, "one", "/slow 2000");
        caller.cancel(thread, "one");
        Map<String, Object> again = AgentCaller.input(thread, "two", "/slow 2000");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(caller.start(again).status()).isEqualTo(202);
        caller.frames(
                "/api/v1/agent/runs/" + thread + "/events?runId=two",
                frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
        assertThat(start("three", "hello", "rollback").status()).isEqualTo(202);
        assertThat(state("two")).isEqualTo("cancelled");
        assertThat(caller.messages(thread).getFirst().at("/metadata/withdrawn").isMissingNode())
                .isTrue();
    }

    @Test
    void anotherPersonMayAskAgainButNotDifferently() {
        caller.start(thread, "one", "hello");
        caller.follow(thread, "one");
        UUID other = UUID.randomUUID();
        caller.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"user:" + other + "\"]}");
        AgentCaller friend = new AgentCaller(server, server.api(other, "Friend"));
        Map<String, Object> changed = AgentCaller.input(thread, "two", "good evening");
        changed.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(friend.start(changed).status()).isEqualTo(403);
        Map<String, Object> again = AgentCaller.input(thread, "three", "hello");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(friend.start(again).status()).isEqualTo(202);
    }

    @Test
    void runOfAnotherUser_endsOnlyByItsOwnersAndManagers() {
        startSlow("slow");
        UUID other = UUID.randomUUID();
        String participants = "/api/v1/chat/threads/" + thread + "/participants";
        caller.api().post(participants, "{\"sender_ids\":[\"user:" + other + "\"]}");
        AgentCaller friend = new AgentCaller(server, server.api(other, "Friend"));
        for (String strategy : List.of("rollback", "interrupt")) {
            Map<String, Object> input = AgentCaller.input(thread, strategy, "hello");
            input.put("forwardedProps", Map.of("multitaskStrategy", strategy));
            assertThat(friend.start(input).status()).as(strategy).isEqualTo(403);
        }
        assertThat(friend.cancel(thread, "slow").status()).isEqualTo(403);
        assertThat(caller.runs(thread)).as("nothing was started").hasSize(1);
        assertThat(caller.messages(thread)).as("and no message was posted").hasSize(1);
        assertThat(state("slow")).isEqualTo("running");

        caller.api()
                .patch(
                        participants + "/user:" + other,
                        "{\"capabilities\":[\"can_read\",\"can_send\",\"can_run\",\"can_manage_participants\"]}");
        Map<String, Object> input = AgentCaller.input(thread, "next", "hello");
        input.put("forwardedProps", Map.of("multitaskStrategy", "rollback"));
        assertThat(friend.start(input).status()).isEqualTo(202);
        assertThat(state("slow")).isEqualTo("cancelled");
    }

    /** Asking another user's question again makes the run the caller's own, but not the question. */
    @Test
    void rollback_ofAQuestionAskedAgain_leavesTheQuestion() {
        UUID other = UUID.randomUUID();
        caller.start(thread, "one", "/slow 2000");
        caller.cancel(thread, "one");
        caller.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"user:" + other + "\"]}");
        AgentCaller friend = new AgentCaller(server, server.api(other, "Friend"));
        Map<String, Object> again = AgentCaller.input(thread, "again", "/slow 2000");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(friend.start(again).status()).isEqualTo(202);
        Map<String, Object> input = AgentCaller.input(thread, "next", "hello");
        input.put("forwardedProps", Map.of("multitaskStrategy", "rollback"));

        assertThat(friend.start(input).status()).isEqualTo(202);

        assertThat(caller.messages(thread).getFirst().at("/metadata/withdrawn").asBoolean(false))
                .isFalse();
    }

    @Test
    void cancellingIsDoneWhenItIsAcknowledged() {
        startSlow("slow");
        assertThat(caller.cancel(thread, "slow").text("status")).isEqualTo("accepted");
        List<AgentCaller.Frame> frames = caller.follow(thread, "slow");
        assertThat(frames.getLast().data().at("/outcome/type").asString()).isEqualTo("cancelled");
        JsonNode message = caller.messages(thread).getLast();
        assertThat(message.get("content").asString())
                .isEqualTo(AgentCaller.texts(frames).values().iterator().next());
        assertThat(caller.cancel(thread, "slow").text("status")).isEqualTo("finished");
        assertThat(caller.cancel(thread, "nothing").text("status")).isEqualTo("unknown");
        assertThat(caller.follow(thread, "slow")).isEqualTo(frames);
    }

    @Test
    void aQueuedRunThatIsCancelledNeverBegins() {
        startSlow("slow");
        assertThat(start("next", "hello", "enqueue").status()).isEqualTo(202);
        assertThat(caller.cancel(thread, "next").text("status")).isEqualTo("accepted");
        List<AgentCaller.Frame> frames = caller.follow(thread, "next");
        assertThat(frames).extracting(AgentCaller.Frame::type).containsExactly("RUN_STARTED", "RUN_FINISHED");
        assertThat(frames)
                .extracting(AgentCaller.Frame::id)
                .containsExactly(
                        caller.run(thread, "next").get("firstEvent").asLong(),
                        caller.run(thread, "next").get("lastEvent").asLong());
        caller.cancel(thread, "slow");
        assertThat(state("next")).isEqualTo("cancelled");
        assertThat(caller.messages(thread))
                .noneMatch(m -> m.get("content").asString().equals("You said: hello"));
    }

    @Test
    void manyMayCancelAtOnce() throws Exception {
        startSlow("slow");
        // Long enough that it cannot end by itself once the slow one is cancelled.
        start("waiting", "/slow 2000", "enqueue");
        List<String> answers = new CopyOnWriteArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String run = i % 2 == 0 ? "waiting" : "slow";
            callers.add(Thread.startVirtualThread(
                    () -> answers.add(run + " " + caller.cancel(thread, run).text("status"))));
        }
        for (Thread each : callers) {
            each.join();
        }
        assertThat(answers).hasSize(30).allMatch(answer -> answer.matches("(slow|waiting) (accepted|finished)"));
        assertThat(answers).contains("slow accepted", "waiting accepted");
        for (String run : List.of("slow", "waiting")) {
            assertThat(caller.follow(thread, run).stream().filter(AgentCaller.Frame::isTerminal))
                    .hasSize(1);
        }
    }

    @Test
    void cancellingAtRandomMomentsLeavesNothingBehind() {
        for (int i = 0; i < 60; i++) {
            String run = "run-" + i;
            assertThat(start(run, i % 3 == 0 ? "weather in Rome" : "/slow " + i, "enqueue")
                            .status())
                    .isEqualTo(202);
            String status = caller.cancel(thread, run).text("status");
            JsonNode then = caller.run(thread, run);
            List<AgentCaller.Frame> frames = caller.follow(thread, run);
            assertThat(then.get("state").asString()).isEqualTo(status.equals("accepted") ? "cancelled" : "completed");
            assertThat(frames.getLast().id()).isEqualTo(then.get("lastEvent").asLong());
            assertThat(frames.stream().filter(AgentCaller.Frame::isTerminal)).hasSize(1);
            assertThat(frames.getFirst().type()).isEqualTo("RUN_STARTED");
        }
        await().during(Duration.ofSeconds(1)).until(() -> true);
        for (int i = 0; i < 60; i++) {
            List<AgentCaller.Frame> frames = caller.follow(thread, "run-" + i);
            assertThat(frames.getLast().id())
                    .isEqualTo(caller.run(thread, "run-" + i).get("lastEvent").asLong());
        }
    }

    @Test
    void aQuestionIsAnsweredAnew() {
        caller.start(thread, "one", "hello");
        caller.follow(thread, "one");
        Map<String, Object> again = AgentCaller.input(thread, "two", "hello");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(caller.start(again).status()).isEqualTo(202);
        caller.follow(thread, "two");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .containsExactly("hello", "You said: hello", "You said: hello");
        assertThat(messages.get(1).at("/metadata/superseded").asBoolean()).isTrue();
        assertThat(messages.get(2).at("/metadata/superseded").isMissingNode()).isTrue();
    }

    @Test
    void aQuestionThatWasDeletedIsNotAskedAgain() {
        caller.start(thread, "one", "my secret");
        caller.follow(thread, "one");
        String question = caller.messages(thread).getFirst().get("id").asString();
        assertThat(caller.api()
                        .delete("/api/v1/chat/threads/" + thread + "/messages/" + question)
                        .status())
                .isEqualTo(200);
        Map<String, Object> again = AgentCaller.input(thread, "two", "my secret");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(caller.start(again).status()).isEqualTo(400);
        assertThat(caller.messages(thread))
                .extracting(message -> message.get("content").asString())
                .doesNotContain("my secret");
    }

    @Test
    void aQuestionIsChangedAndAskedAgain() {
        caller.start(thread, "one", "hello");
        caller.follow(thread, "one");
        Map<String, Object> again = AgentCaller.input(thread, "two", "good evening");
        again.put("forwardedProps", Map.of("regenerateFrom", "msg-one"));
        assertThat(caller.start(again).status()).isEqualTo(202);
        caller.follow(thread, "two");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .containsExactly("hello", "You said: hello", "good evening", "You said: good evening");
        assertThat(messages.get(0).at("/metadata/withdrawn").asBoolean()).isTrue();
        assertThat(messages.get(1).at("/metadata/superseded").asBoolean()).isTrue();
        again.put("runId", "three");
        again.put("forwardedProps", Map.of("regenerateFrom", "nothing"));
        assertThat(caller.start(again).status()).isEqualTo(400);
    }
}
