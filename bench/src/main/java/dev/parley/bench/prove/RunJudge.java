package dev.parley.bench.prove;

import dev.parley.protocol.agent.RunFailure;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.chat.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compares the parts of one finished run: its view, its events in the log, and its messages. */
final class RunJudge {
    private final StartedRun run;
    private final RunView view;
    private final RunTrace trace;
    private final List<Message> messages;
    private final List<String> violations = new ArrayList<>();

    private RunJudge(StartedRun run, RunView view, RunTrace trace, List<Message> messages) {
        this.run = run;
        this.view = view;
        this.trace = trace;
        this.messages = messages;
    }

    /** Broken promises in words; empty if every promise is kept. */
    static List<String> judge(StartedRun run, RunView view, RunReplay replay) {
        RunTrace trace = replay.run(run.runId());
        RunJudge judge = new RunJudge(run, view, trace, replay.messagesOf(run.runId()));
        judge.require(view.taskId().equals(run.task()), "was acknowledged as another task: " + view.taskId());
        judge.checkQuestion(replay.messages());
        if (trace.events().isEmpty()) {
            judge.violation("has no events, but is " + view.state());
        } else {
            judge.checkEnding();
            judge.checkTexts();
        }
        return judge.violations;
    }

    private void violation(String violation) {
        violations.add(run + " " + violation);
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            violation(otherwise);
        }
    }

    private void checkQuestion(List<Message> all) {
        long questions = all.stream()
                .filter(message -> message.role().equals("user")
                        && view.triggers().contains(message.threadSeq())
                        && message.content().equals(run.prompt().text()))
                .count();
        require(questions == 1, "has " + questions + " user messages");
    }

    private void checkEnding() {
        require(trace.isOrdered(), "has events out of order");
        require(trace.events().getFirst().event() instanceof RunEvent.Started, "does not begin with RUN_STARTED");
        require(
                trace.events().stream()
                                .filter(event -> event.event() instanceof RunEvent.Started)
                                .count()
                        == 1,
                "has several RUN_STARTED");
        require(
                trace.terminals().size() == 1,
                "has " + trace.terminals().size() + " terminal events, and is " + view.state());
        require(trace.events().getLast().isTerminal(), "goes on after its terminal event");
        require(
                Objects.equals(view.firstEvent(), trace.events().getFirst().position()),
                "has the wrong first event " + view.firstEvent());
        require(
                Objects.equals(view.lastEvent(), trace.events().getLast().position()),
                "has the wrong last event " + view.lastEvent());
        String ended = endState(trace.events().getLast().event());
        RunFailure error = view.error();
        String state = view.state() + (error == null ? "" : " " + error.code());
        require(state.equals(ended), "is " + state + " by its view, but " + ended + " by its last event");
    }

    private static String endState(AguiEvent last) {
        return switch (last) {
            case RunEvent.Finished finished ->
                finished.outcome() instanceof Outcome.Cancelled ? "cancelled" : "completed";
            case RunEvent.Failed failed -> "failed " + failed.code();
            default -> "nothing";
        };
    }

    private void checkTexts() {
        Map<String, String> stored = new LinkedHashMap<>();
        for (Message message : messages) {
            String id = message.metadata() == null
                    ? message.id()
                    : message.metadata().path("message_id").asString(message.id());
            require(stored.put(id, message.content()) == null, "has two messages " + id);
        }
        Map<String, String> streamed = new LinkedHashMap<>(trace.texts());
        streamed.putAll(trace.results());
        streamed.forEach((id, text) -> require(
                text.equals(stored.getOrDefault(id, "")),
                "streamed \"" + text + "\" in message " + id + ", but \"" + stored.get(id) + "\" is stored"));
        stored.forEach((id, text) -> require(
                text.isEmpty() || streamed.containsKey(id), "has stored a message that was not streamed: " + text));
        List<Message> answers = messages.stream()
                .filter(message ->
                        message.role().equals("assistant") && !message.content().isEmpty())
                .toList();
        if (view.state().equals("completed")) {
            require(
                    run.prompt()
                            .isAnsweredBy(answers.stream().map(Message::content).toList()),
                    "is completed, but its answer is "
                            + answers.stream().map(Message::content).toList());
        }
        for (Message message : answers) {
            boolean partial = message.metadata() != null
                    && message.metadata().path("partial").asBoolean(false);
            require(
                    partial ? !view.state().equals("completed") : run.prompt().isWhole(message.content()),
                    "is " + view.state() + ", and a message of it is " + (partial ? "" : "not ") + "marked as partial: "
                            + message.content());
        }
    }
}
