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

/** Compares what is known of one run that is over: its view, its events in the log, and the messages it has left. */
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

    /** Broken promises in words; none if there is none. */
    static List<String> judge(StartedRun run, RunView view, RunReplay replay) {
        RunTrace trace = replay.run(run.runId());
        RunJudge judge = new RunJudge(run, view, trace, replay.messagesOf(run.runId()));
        judge.require(view.taskId().equals(run.task()), "was acknowledged as another task: " + view.taskId());
        judge.asked(replay.messages());
        if (trace.events().isEmpty()) {
            judge.violation("has no events, but is " + view.state());
        } else {
            judge.ending();
            judge.texts();
        }
        return judge.violations;
    }

    private void violation(String what) {
        violations.add(run + " " + what);
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            violation(otherwise);
        }
    }

    private void asked(List<Message> all) {
        long asked = all.stream()
                .filter(message -> message.role().equals("user")
                        && view.triggers().contains(message.threadSeq())
                        && message.content().equals(run.prompt().text()))
                .count();
        require(asked == 1, "has " + asked + " user messages");
    }

    private void ending() {
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
        require(trace.events().getLast().isTerminal(), "goes on behind its terminal event");
        require(
                Objects.equals(view.firstEvent(), trace.events().getFirst().position()),
                "is said to begin at " + view.firstEvent());
        require(
                Objects.equals(view.lastEvent(), trace.events().getLast().position()),
                "is said to end at " + view.lastEvent());
        String ended = ended(trace.events().getLast().event());
        RunFailure error = view.error();
        String said = view.state() + (error == null ? "" : " " + error.code());
        require(said.equals(ended), "is said to be " + said + ", but its last event says " + ended);
    }

    private static String ended(AguiEvent last) {
        return switch (last) {
            case RunEvent.Finished finished ->
                finished.outcome() instanceof Outcome.Cancelled ? "cancelled" : "completed";
            case RunEvent.Failed failed -> "failed " + failed.code();
            default -> "nothing";
        };
    }

    private void texts() {
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
        List<Message> said = messages.stream()
                .filter(message ->
                        message.role().equals("assistant") && !message.content().isEmpty())
                .toList();
        if (view.state().equals("completed")) {
            require(
                    run.prompt()
                            .isAnsweredBy(said.stream().map(Message::content).toList()),
                    "is completed, but its answer is "
                            + said.stream().map(Message::content).toList());
        }
        for (Message message : said) {
            boolean partial = message.metadata() != null
                    && message.metadata().path("partial").asBoolean(false);
            require(
                    partial ? !view.state().equals("completed") : run.prompt().isWhole(message.content()),
                    "is " + view.state() + ", and a message of it is " + (partial ? "" : "not ") + "marked as partial: "
                            + message.content());
        }
    }
}
