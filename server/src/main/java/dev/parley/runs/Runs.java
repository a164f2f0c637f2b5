package dev.parley.runs;

import dev.parley.agents.Agent;
import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attachments;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.contexts.Contexts;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.nodes.Nodes;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.runs.execution.RunEngine;
import dev.parley.runs.execution.RunExecution;
import dev.parley.runs.execution.RunInputs;
import dev.parley.runs.execution.RunJournal;
import dev.parley.runs.execution.RunKeeper;
import dev.parley.runs.execution.RunLeases;
import dev.parley.runs.execution.RunTermination;
import dev.parley.runs.execution.RunTurns;
import dev.parley.runs.external.ExternalRuns;
import dev.parley.runs.input.RunInputRules;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.Participants;
import dev.parley.threads.Recall;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The front door of runs: starting, finding and cancelling them; and it keeps those of this node going. */
public final class Runs implements AutoCloseable {
    private final RunStore store;
    private final ThreadAccess access;
    private final RunStarter starter;
    private final FullHistoryRuns fullHistory;
    private final ExternalRuns external;
    private final RunCancellation cancellation;
    private final RunSnapshots snapshots;
    private final RunContexts contexts;
    private final AnswerUsages usages;
    private final RunEngine engine;
    private final RunKeeper keeper;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What runs are made of. */
    public record Dependencies(
            Database database,
            Log log,
            LogReader reader,
            Threads threads,
            ThreadAccess access,
            Participants participants,
            Messages messages,
            Agents agents,
            Attachments attachments,
            Contexts contexts,
            Recall recall,
            Nodes nodes,
            WorkIntake intake,
            AgentTokens tokens) {}

    /** @param kinds how agents of each kind that we run are called */
    public Runs(
            Dependencies parts,
            Map<RegisteredAgent.Kind, Agent> kinds,
            Actor defaultAgent,
            RunSettings settings,
            Limits limits,
            Clock clock) {
        // Before anything is claimed: a node that is not known to be alive loses what it claims.
        parts.nodes().beat();
        UUID node = parts.nodes().id();
        this.store = new RunStore(parts.database());
        this.access = parts.access();
        Messages messages = parts.messages();
        RunJournal journal = new RunJournal(store, parts.log(), parts.reader(), messages, clock, settings);
        RunTermination termination = new RunTermination(store, journal, node, this::takenOver);
        RunInputs inputs = new RunInputs(store, access, messages, parts.reader(), parts.recall(), limits.contexts());
        RunTurns turns = new RunTurns(
                store, messages, parts.attachments(), parts.contexts(), parts.agents(), inputs, limits.contexts());
        RunExecution execution = new RunExecution(store, journal, termination, turns, parts.agents(), kinds, node);
        this.engine = new RunEngine(parts.database(), execution, termination, settings);
        RunLeases leases = new RunLeases(parts.database());
        this.external = new ExternalRuns(store, leases, parts.log(), access, journal);
        RunRights rights = new RunRights(parts.database());
        AskedQuestions questions = new AskedQuestions(parts.reader(), messages);
        AgentChoice choice = new AgentChoice(store, parts.agents(), parts.tokens(), defaultAgent);
        ResumeRules resumes = new ResumeRules(store);
        RunLauncher launcher = new RunLauncher(store, parts, resumes, rights, journal, termination, engine);
        RunInputRules inputRules =
                new RunInputRules(limits.runs(), limits.requests().opaqueId());
        this.starter = new RunStarter(store, parts.attachments(), questions, choice, launcher, inputRules);
        this.fullHistory = new FullHistoryRuns(store, parts, resumes, questions, choice, launcher, limits);
        this.cancellation = new RunCancellation(store, access, rights, termination);
        this.snapshots = new RunSnapshots(store, parts.reader(), journal);
        this.contexts = new RunContexts(store, parts);
        this.usages = new AnswerUsages(parts.database());
        this.keeper = new RunKeeper(parts.database(), leases, engine, journal, termination, settings, parts.nodes());
    }

    private void takenOver(UUID task) {
        engine.takenOver(task);
        external.takenOver(task);
    }

    /** Told of every commit on this node: a run may be waiting. */
    public void committed(List<Event> events) {
        engine.committed(events);
    }

    /** Another node says that runs of a thread changed: one that is executed here may have been ended there. */
    public void changedElsewhere(ThreadId thread) {
        if (engine.holdsOneIn(thread)) {
            keeper.lookSoon();
        }
    }

    /** Another node says that a run waits which it has no place for. */
    public void waitingElsewhere() {
        engine.wake();
    }

    /** Whether this node could execute one more run. */
    public boolean hasRoom() {
        return engine.hasRoom();
    }

    /** Starts the run that a body asks for, or finds the one that the same request started before. */
    public Run start(Principal caller, JsonNode body) {
        return starter.start(caller, body);
    }

    /** A run of a thread that the caller may read. */
    public Run require(Principal caller, ThreadId thread, String id) {
        access.requireReadable(caller, thread);
        return store.find(thread, id).orElseThrow(RunStore::noSuchRun);
    }

    /** A run by what its client or the server calls it, whoever asks. */
    public Optional<Run> find(ThreadId thread, String id) {
        return store.find(thread, id);
    }

    public Optional<Run> find(UUID task) {
        return store.find(task);
    }

    /** The id that a run's messages carry, by either id of the run. An id that no run has is given back. */
    public String runIdOf(ThreadId thread, String id) {
        return Text.isStorable(id) ? store.find(thread, id).map(Run::runId).orElse(id) : id;
    }

    /** The runs of a thread before a place, the newest first. */
    public List<Run> list(Principal caller, ThreadId thread, Run.Cursor before, int limit) {
        access.requireReadable(caller, thread);
        return store.list(thread, before, limit);
    }

    /** The name that a run's client gave it. */
    public @Nullable String nameOf(@Nullable UUID task) {
        return task == null ? null : store.find(task).map(Run::runId).orElse(null);
    }

    /** Who started some of a thread's runs, by the names of the runs; what is no run's name is left out. */
    public Map<String, Actor> startersOf(ThreadId thread, Set<String> runs) {
        return store.startersOf(thread, runs);
    }

    /** The run that a viewer without a cursor wants to see: the oldest one that is going on. */
    public Optional<Run> active(ThreadId thread) {
        return store.unfinished(thread).stream()
                .filter(run -> run.state() instanceof RunState.Running)
                .findFirst();
    }

    /** The state that a thread's agents and clients share, for a caller who may read the thread. */
    public Optional<RunStore.SharedState> state(Principal caller, ThreadId thread) {
        access.requireReadable(caller, thread);
        return store.state(thread);
    }

    /** The same for a face that has found the thread readable. */
    public Optional<JsonNode> sharedState(ThreadId thread) {
        return store.state(thread).map(state -> Json.MAPPER.readTree(state.json()));
    }

    /**
     * The run whose answer stands in place of a run's: the latest one that supersedes it, or that took the place of a run
     * which was taken back; else the run itself.
     */
    public Run standing(Run run) {
        Run now = store.find(run.taskId()).orElseThrow(RunStore::noSuchRun);
        if (now.isOver() && Intention.ROLLBACK.wire().equals(now.ending())) {
            return newest(now.thread()).orElse(now);
        }
        return store.supersederOf(now).orElse(now);
    }

    /** The latest run of a thread that is no child of another. */
    public Optional<Run> newest(ThreadId thread) {
        return store.newestRoot(thread);
    }

    /** A run as it stands now, for whoever comes in the middle. */
    public RunSnapshot snapshot(Run run) {
        return snapshots.of(run.taskId());
    }

    /** What a thread waits for: questions that nobody has answered, and calls that nobody has brought the results of. */
    public record Pending(List<Interrupt> interrupts, List<String> calls) {}

    public Pending pending(ThreadId thread) {
        return new Pending(
                store.openInterrupts(thread).stream()
                        .map(RunStore.OpenInterrupt::question)
                        .toList(),
                store.openCalls(thread));
    }

    /** The ids of the questions that nobody has answered, by the runs that asked them. */
    public Map<UUID, List<String>> openInterrupts(ThreadId thread) {
        return store.openInterrupts(thread).stream()
                .collect(Collectors.groupingBy(
                        RunStore.OpenInterrupt::task,
                        Collectors.mapping(asked -> asked.question().id(), Collectors.toList())));
    }

    /** The run that a viewer of an agent wants to see: one that goes on, else one that waits; of others if that agent has none. */
    public Optional<Run> unfinished(ThreadId thread, @Nullable Actor agent) {
        return store.unfinished(thread, agent);
    }

    /** Runs of clients that send the whole conversation every time. */
    public FullHistoryRuns fullHistory() {
        return fullHistory;
    }

    /** Runs that their own agents, or clients of sessions, drive. */
    public ExternalRuns external() {
        return external;
    }

    public RunCancellation cancellation() {
        return cancellation;
    }

    /** What the messages of runs have used. */
    public AnswerUsages usages() {
        return usages;
    }

    /** What the models of runs were shown, and what that cost. */
    public RunContexts contexts() {
        return contexts;
    }

    /** How many runs this node executes. */
    public int executing() {
        return engine.held().size();
    }

    /** How many callers have runs waiting that only their own share of this node's slots keeps from beginning. */
    public int callersOverShare() {
        return engine.callersOverShare();
    }

    /** Executes no new runs and lets those under way finish, for a while; a second time it does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            engine.close();
            keeper.close();
        }
    }
}
