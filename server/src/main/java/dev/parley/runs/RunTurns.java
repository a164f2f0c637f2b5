package dev.parley.runs;

import dev.parley.agents.Turn;
import dev.parley.assembly.Assembly;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadSnapshot;
import dev.parley.threads.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Gathers what an agent is given for a run: the conversation as it stands when the run begins, and what came with it. */
final class RunTurns {
    private final RunStore store;
    private final Threads threads;
    private final Messages messages;
    private final int contextMessages;

    RunTurns(RunStore store, Threads threads, Messages messages, int contextMessages) {
        this.store = store;
        this.threads = threads;
        this.messages = messages;
        this.contextMessages = contextMessages;
    }

    Turn of(Run run) {
        long before = run.readsTo() == null ? Long.MAX_VALUE : run.readsTo();
        List<RevisedMessage> triggers = messages.at(run.thread(), run.triggers());
        List<RevisedMessage> seen = new ArrayList<>(messages.lastBefore(run.thread(), before, contextMessages));
        Set<Long> own = new HashSet<>(run.triggers());
        seen.removeIf(message -> own.contains(message.original().seq()));
        seen.addAll(triggers);
        RunAgentInput input = input(run);
        Map<Actor, String> names = names(run);
        return new Turn(
                run.thread(),
                run.runId(),
                run.taskId(),
                run.agent(),
                triggers.stream()
                        .map(message -> withoutAddress(message.content(), names.getOrDefault(run.agent(), "")))
                        .collect(Collectors.joining("\n")),
                Assembly.context(seen, new Assembly.Viewpoint(run.agent(), own, store.otherTriggers(run), names)),
                input,
                results(run, input),
                answers(run, input));
    }

    /** Who is called by name is not told its own name again. */
    private static String withoutAddress(String text, String name) {
        String address = "@" + name;
        return !name.isBlank() && text.startsWith(address)
                ? text.substring(address.length()).replaceFirst("^[\\s,:]+", "")
                : text;
    }

    private List<Message.Tool> results(Run run, RunAgentInput input) {
        List<Message.Tool> results = input.messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(Message.Tool.class::cast)
                .toList();
        if (results.isEmpty()) {
            return results;
        }
        Set<String> answered = new HashSet<>(store.callsAnsweredBy(run.taskId()));
        // Of several for one call the first is its result, here as in the log.
        return results.stream()
                .filter(message -> answered.remove(message.toolCallId()))
                .toList();
    }

    private Map<Actor, String> names(Run run) {
        return threads.roster(run.agent(), run.thread()).stream()
                .collect(Collectors.toMap(ThreadSnapshot.Member::actor, ThreadSnapshot.Member::displayName));
    }

    private List<Turn.Answer> answers(Run run, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return List.of();
        }
        Map<String, Interrupt> questions = store.answeredBy(run.taskId()).stream()
                .collect(Collectors.toMap(Interrupt::id, question -> question, (first, second) -> second));
        List<Turn.Answer> answers = new ArrayList<>();
        for (ResumeEntry decision : input.resume()) {
            Interrupt question = questions.get(decision.interruptId());
            if (question != null) {
                answers.add(new Turn.Answer(question, decision));
            }
        }
        return answers;
    }

    private RunAgentInput input(Run run) {
        return store.input(run.taskId())
                .map(json -> Json.MAPPER.readValue(json, RunAgentInput.class))
                .orElseGet(() -> new RunAgentInput(
                        run.thread().toString(),
                        run.runId(),
                        RunAgentInput.PROTOCOL_VERSION,
                        null,
                        null,
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        List.of()));
    }
}
