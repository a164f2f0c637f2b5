package dev.parley.runs;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attachments;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.FullHistoryMerge;
import dev.parley.runs.input.FullHistoryRules;
import dev.parley.runs.input.InlineFiles;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.input.TokenFreeInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadAliases;
import dev.parley.threads.ThreadRoster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Starts runs for clients that send the whole conversation with each run and choose the thread's name. New messages are
 * appended. The first rule that fits decides the request. A known runId attaches the request to its run. Decisions
 * about questions resume an agent. Results of pending calls continue an agent. The last new user message is answered.
 * Without new messages, the request attaches to the run of the last user message if that run is unfinished; otherwise
 * the message is answered anew.
 */
public final class FullHistoryRuns {
    /**
     * The number of attempts. A further attempt is needed if another client of the same thread was faster, because then
     * other messages are new.
     */
    private static final int TRIES = 5;

    private final RunStore store;
    private final LogReader reader;
    private final Agents agents;
    private final ThreadAliases aliases;
    private final Attachments attachments;
    private final ResumeRules resumes;
    private final AskedQuestions questions;
    private final AgentChoice choice;
    private final RunLauncher launcher;
    private final FullHistoryRules inputRules;
    private final InlineFiles files;

    FullHistoryRuns(
            RunStore store,
            Runs.Dependencies parts,
            ResumeRules resumes,
            AskedQuestions questions,
            AgentChoice choice,
            RunLauncher launcher,
            Limits limits) {
        this.store = store;
        this.reader = parts.reader();
        this.agents = parts.agents();
        this.aliases = new ThreadAliases(parts.database());
        this.attachments = parts.attachments();
        this.resumes = resumes;
        this.questions = questions;
        this.choice = choice;
        this.launcher = launcher;
        this.inputRules = new FullHistoryRules(
                limits.agui(), limits.requests(), limits.runs().body());
        this.files = new InlineFiles(attachments, limits.runs().attachments());
    }

    /** The input of a body, checked for its form. */
    public RunAgentInput check(JsonNode body) {
        return inputRules.check(body);
    }

    /**
     * The run that answers a request.
     *
     * @param isNew true if the request started the run; the client has then seen no event of the run yet
     */
    public record Acceptance(Run run, boolean isNew) {}

    /** The thread that has this name for the client; empty if the name is not in use yet. */
    public Optional<ThreadId> find(Principal caller, String name) {
        return aliases.find(agents.ownerFor(caller), name);
    }

    /** Starts the run that the input asks for, or finds the earlier one that it refers to. */
    public Acceptance take(Principal caller, RunAgentInput input, RunOptions options) {
        RunLauncher.requireScopes(caller);
        caller.requirePlace();
        for (int i = 0; i < TRIES; i++) {
            Optional<Acceptance> taken = tryToTake(caller, input, options);
            if (taken.isPresent()) {
                return taken.get();
            }
        }
        throw new ProblemException(Problem.OVERLOADED, "The thread changes too quickly; try again.");
    }

    /** Empty if another client was faster; the new messages must then be determined again. */
    private Optional<Acceptance> tryToTake(Principal caller, RunAgentInput input, RunOptions options) {
        Optional<ThreadId> named = find(caller, input.threadId());
        Optional<ThreadRoster> known = named.flatMap(thread -> launcher.findThread(caller, thread));
        Optional<Run> existing = known.flatMap(roster -> store.find(roster.id(), input.runId()));
        if (existing.isPresent()) {
            return Optional.of(new Acceptance(requireOwn(caller, existing.get()), false));
        }
        Map<String, Long> seqs = known.map(roster -> reader.seqsOf(roster.id(), FullHistoryMerge.ids(input)))
                .orElse(Map.of());
        FullHistoryMerge history = FullHistoryMerge.of(input, seqs);
        List<NewMessages.Result> results =
                known.map(roster -> results(roster.id(), history)).orElse(List.of());
        ResumeRules.requireWellFormed(input, known.isPresent());
        known.ifPresent(roster -> resumes.requireAllDecided(roster.id(), input));
        boolean nothingNew =
                input.resume().isEmpty() && results.isEmpty() && history.users().isEmpty();
        if (nothingNew && options.regenerateFrom() == null && known.isPresent()) {
            Optional<Run> answering = answeringRun(known.get().id(), history);
            if (answering.isPresent()) {
                return Optional.of(new Acceptance(answering.get(), false));
            }
        }
        launcher.requireOpen();
        List<Message> material = given(known.map(ThreadRoster::id), history, results);
        inputRules.requireUsable(input, history, results, material);
        RegisteredAgent agent = choice.agentFor(caller, withCallingAgent(options, results, known), known, input);
        if (known.isEmpty()) {
            RunLauncher.requireOwner(caller);
        }
        ThreadId thread = named.orElseGet(() -> aliases.claim(caller.actor(), input.threadId()));
        RevisedMessage repeatedQuestion =
                repeatedQuestion(caller, thread, options, history, known.isPresent(), nothingNew);
        InlineFiles.StoredInput storedInput = files.store(caller, thread, input.runId(), results, history.users());
        NewMessages newMessages = storedInput.newMessages();
        RunLauncher.Plan plan = new RunLauncher.Plan(
                stored(thread, input, material, newMessages),
                options,
                parent(thread, input),
                repeatedQuestion,
                newMessages);
        try {
            return Optional.of(new Acceptance(launcher.launch(caller, thread, known, agent, plan), true));
        } catch (ProblemException refused) {
            files.forget(storedInput, refused);
            if (refused.problem() == Problem.KEY_REUSED) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private Run requireOwn(Principal caller, Run run) {
        if (!run.startedBy().equals(caller.actor())) {
            throw new ProblemException(
                    Problem.KEY_REUSED, "This runId names another caller's run in this thread; use a new runId.");
        }
        // The events of a child belong to its root.
        return run.root() == null ? run : store.find(run.root()).orElse(run);
    }

    private List<NewMessages.Result> results(ThreadId thread, FullHistoryMerge history) {
        return history.results().isEmpty()
                ? List.of()
                : NewMessages.Result.of(store.openCalls(thread, calls(history)), history.results());
    }

    /** The options. If they name no agent, the agent that made the first call is added. */
    private RunOptions withCallingAgent(
            RunOptions options, List<NewMessages.Result> results, Optional<ThreadRoster> known) {
        if (options.agentId() != null || known.isEmpty() || results.isEmpty()) {
            return options;
        }
        return agents.find(results.getFirst().call().agent())
                .filter(RegisteredAgent::active)
                .filter(agent -> known.get().member(agent.actor()).isPresent())
                .map(agent -> options.by(agent.actor().value()))
                .orElse(options);
    }

    /** The run that has answered, or is answering, the last message of a list without new messages. */
    private Optional<Run> answeringRun(ThreadId thread, FullHistoryMerge history) {
        Optional<Run> continued = history.lastResult().flatMap(call -> store.thatAnswered(thread, call));
        if (continued.isPresent()) {
            return continued;
        }
        Optional<Run> unfinished = history.lastUser()
                .flatMap(seq -> store.unfinished(thread).stream()
                        .filter(run -> run.triggers().contains(seq))
                        .findFirst());
        // A question withdrawn meanwhile is not answered anew; its client is shown the latest run.
        boolean withdrawn = unfinished.isEmpty()
                && history.lastUser()
                        .flatMap(seq -> questions.at(thread, seq))
                        .filter(question -> question.isDeleted() || question.withdrawn())
                        .isPresent();
        return withdrawn ? store.newestRoot(thread) : unfinished;
    }

    private @Nullable RevisedMessage repeatedQuestion(
            Principal caller,
            ThreadId thread,
            RunOptions options,
            FullHistoryMerge history,
            boolean known,
            boolean nothingNew) {
        RevisedMessage requested = questions.requested(thread, options, known);
        if (requested != null) {
            if (!history.users().isEmpty()) {
                AskedQuestions.requireOwn(caller, requested);
            }
            return requested;
        }
        return nothingNew
                ? history.lastUser().flatMap(seq -> questions.at(thread, seq)).orElse(null)
                : null;
    }

    /** The parent run in this thread; null for a parent that only the client knows. */
    private @Nullable UUID parent(ThreadId thread, RunAgentInput input) {
        return input.parentRunId() == null
                ? null
                : store.find(thread, input.parentRunId()).map(Run::taskId).orElse(null);
    }

    /**
     * The messages that the run's agent receives as material. They exclude entries, and results of calls already
     * answered.
     */
    private List<Message> given(Optional<ThreadId> thread, FullHistoryMerge history, List<NewMessages.Result> results) {
        Set<String> answered =
                thread.map(id -> store.answeredCalls(id, calls(history))).orElse(Set.of());
        Set<String> entries =
                results.stream().map(result -> result.message().id()).collect(Collectors.toSet());
        return inputRules.withinLimit(history.given().stream()
                .filter(message -> !(message instanceof Message.Tool tool)
                        || !entries.contains(tool.id()) && !answered.contains(tool.toolCallId()))
                .toList());
    }

    private static List<String> calls(FullHistoryMerge history) {
        return history.results().stream().map(Message.Tool::toolCallId).toList();
    }

    /** The input to store. It leaves out the thread's own messages, which would grow with every turn. */
    private RunAgentInput stored(
            ThreadId thread, RunAgentInput input, List<Message> material, NewMessages newMessages) {
        List<Message> messages = new ArrayList<>(material);
        newMessages.results().forEach(result -> messages.add(result.message()));
        newMessages.questions().forEach(question -> messages.add(question.message()));
        RunAgentInput given = TokenFreeInput.of(input.withMessages(messages), attachments::nameIn);
        boolean sameState = input.state() != null
                && store.state(thread)
                        .filter(state -> Json.MAPPER.readTree(state.json()).equals(input.state()))
                        .isPresent();
        return sameState ? given.withoutState() : given;
    }
}
