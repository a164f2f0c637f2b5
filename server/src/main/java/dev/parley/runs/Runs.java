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

/** The front door of runs: starts, finds and cancels runs, and executes the runs of this node. */
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
    private final RunInputs inputs;
    private final RunEngine engine;
    private final RunKeeper keeper;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The services that runs use. */
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

    /** @param kinds the implementations that call agents, by the kinds of agents that this server runs */
    public Runs(
            Dependencies parts,
            Map<RegisteredAgent.Kind, Agent> kinds,
            Actor defaultAgent,
            RunSettings settings,
            Limits limits,
            Clock clock) {
        // The first beat precedes every claim, because a node that is not known to be alive loses the runs that it
        // claims.
        parts.nodes().beat();
        UUID node = parts.nodes().id();
        this.store = new RunStore(parts.database());
        this.access = parts.access();
        Messages messages = parts.messages();
        RunJournal journal = new RunJournal(store, parts.log(), parts.reader(), messages, clock, settings);
        RunTermination termination = new RunTermination(store, journal, node, this::takenOver);
        this.inputs = new RunInputs(store, access, messages, parts.reader(), parts.recall(), limits.contexts());
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

    /** Called with every commit on this node, because a commit may let a waiting run begin. */
    public void committed(List<Event> events) {
        inputs.committed(events);
        engine.committed(events);
    }

    /** Called when runs of a thread changed on another node. The change may have ended a run that is executed here. */
    public void changedElsewhere(ThreadId thread) {
        if (engine.holdsOneIn(thread)) {
            keeper.checkSoon();
        }
    }

    /** Called when a run waits on another node without a free slot. */
    public void waitingElsewhere() {
        engine.wake();
    }

    /** True if this node could execute one more run. */
    public boolean hasRoom() {
        return engine.hasRoom();
    }

    /** Starts the run of a body, or finds the run that the same request started before. */
    public Run start(Principal caller, JsonNode body) {
        return starter.start(caller, body);
    }

    /** A run of a thread that the caller may read. */
    public Run require(Principal caller, ThreadId thread, String id) {
        access.requireReadable(caller, thread);
        return store.find(thread, id).orElseThrow(RunStore::noSuchRun);
    }

    /** The run with this runId or this task id, without a check of rights. */
    public Optional<Run> find(ThreadId thread, String id) {
        return store.find(thread, id);
    }

    public Optional<Run> find(UUID task) {
        return store.find(task);
    }

    /** The runId in the messages of a run, by either id of the run. An unknown id is returned unchanged. */
    public String runIdOf(ThreadId thread, String id) {
        return Text.isStorable(id) ? store.find(thread, id).map(Run::runId).orElse(id) : id;
    }

    /** The runs of a thread before a cursor, the newest first. */
    public List<Run> list(Principal caller, ThreadId thread, Run.Cursor before, int limit) {
        access.requireReadable(caller, thread);
        return store.list(thread, before, limit);
    }

    /** The runId of the run with this task id; null if there is no such run. */
    public @Nullable String nameOf(@Nullable UUID task) {
        return task == null ? null : store.find(task).map(Run::runId).orElse(null);
    }

    /** The starters of a thread's runs, by runId; unknown runIds are left out. */
    public Map<String, Actor> startersOf(ThreadId thread, Set<String> runs) {
        return store.startersOf(thread, runs);
    }

    /** The run for a viewer without a cursor: the oldest running run. */
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

    /** The shared state for a face that has checked the caller's right to read the thread. */
    public Optional<JsonNode> sharedState(ThreadId thread) {
        return store.state(thread).map(state -> Json.MAPPER.readTree(state.json()));
    }

    /**
     * The run whose answer counts instead of this run's answer: the latest run that supersedes this run, or that
     * replaced this run after a rollback; otherwise this run itself.
     */
    public Run standing(Run run) {
        Run now = store.find(run.taskId()).orElseThrow(RunStore::noSuchRun);
        if (now.isOver() && Intention.ROLLBACK.wire().equals(now.ending())) {
            return newest(now.thread()).orElse(now);
        }
        return store.supersederOf(now).orElse(now);
    }

    /** The latest run of a thread that is not a child of another run. */
    public Optional<Run> newest(ThreadId thread) {
        return store.newestRoot(thread);
    }

    /** The present state of a run, for a viewer who joins in the middle. */
    public RunSnapshot snapshot(Run run) {
        return snapshots.of(run.taskId());
    }

    /** The input that a thread waits for: unanswered questions, and calls without results. */
    public record Pending(List<Interrupt> interrupts, List<String> calls) {}

    public Pending pending(ThreadId thread) {
        return new Pending(
                store.openInterrupts(thread).stream()
                        .map(RunStore.OpenInterrupt::question)
                        .toList(),
                store.openCalls(thread));
    }

    /** The ids of the unanswered questions, by the runs that asked them. */
    public Map<UUID, List<String>> openInterrupts(ThreadId thread) {
        return store.openInterrupts(thread).stream()
                .collect(Collectors.groupingBy(
                        RunStore.OpenInterrupt::task,
                        Collectors.mapping(interrupt -> interrupt.question().id(), Collectors.toList())));
    }

    /**
     * The run for a viewer of an agent: a running run, else a waiting run. A run of another agent is returned only if
     * this agent has none.
     */
    public Optional<Run> unfinished(ThreadId thread, @Nullable Actor agent) {
        return store.unfinished(thread, agent);
    }

    /** The runs for clients that send the whole conversation every time. */
    public FullHistoryRuns fullHistory() {
        return fullHistory;
    }

    /** The runs that are driven by their own agents or by clients of sessions. */
    public ExternalRuns external() {
        return external;
    }

    public RunCancellation cancellation() {
        return cancellation;
    }

    /** The usage for messages from runs. */
    public AnswerUsages usages() {
        return usages;
    }

    /** The contexts of runs and their cost. */
    public RunContexts contexts() {
        return contexts;
    }

    /** The number of runs that this node executes. */
    public int executing() {
        return engine.held().size();
    }

    /** The number of callers whose runs wait only because the caller's share of this node's slots is used up. */
    public int callersOverShare() {
        return engine.callersOverShare();
    }

    /** Accepts no new runs, and gives the executing runs some time to finish. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            engine.close();
            keeper.close();
        }
    }
}
