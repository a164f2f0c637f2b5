package dev.parley.runs;

import dev.parley.agents.Agent;
import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.ObjectKey;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.contexts.Contexts;
import dev.parley.limits.Limits;
import dev.parley.log.Compaction;
import dev.parley.log.Digest;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.nodes.Nodes;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.Recall;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The front door of runs: starting, finding and cancelling them; and it keeps those of this node going. */
public final class Runs implements AutoCloseable {
    /** The event by which a conversation is told of its runs. */
    public static final String UPDATED = "run_updated";

    private final RunStore store;
    private final Threads threads;
    private final Attachments attachments;
    private final RunInputRules inputRules;
    private final RunEnder ender;
    private final RunStarter starter;
    private final FullHistoryRuns fullHistory;
    private final RunSnapshots snapshots;
    private final RunEngine engine;
    private final RunKeeper keeper;
    private final ExternalRuns external;
    private final RunContexts contexts;
    private final AnswerUsages usages;
    private final RunRights rights;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What runs are made of. */
    public record Dependencies(
            Database database,
            Log log,
            LogReader reader,
            Threads threads,
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
        this.store = new RunStore(parts.database());
        this.threads = parts.threads();
        this.attachments = parts.attachments();
        this.inputRules = new RunInputRules(limits);
        UUID node = parts.nodes().id();
        // Before anything is claimed: a node that is not known to be alive loses what it claims.
        parts.nodes().beat();
        Log log = parts.log();
        Messages messages = parts.messages();
        Agents agents = parts.agents();
        BiFunction<Run, String, List<Actor>> mentions =
                (run, text) -> messages.namedIn(run.thread(), run.agent(), text);
        this.ender = new RunEnder(store, log, parts.reader(), clock, node, mentions, this::takenOver);
        this.snapshots = new RunSnapshots(store, parts.reader(), ender);
        this.engine = new RunEngine(
                store,
                new QueuedRuns(parts.database()),
                log,
                clock,
                node,
                settings,
                ender,
                agents::find,
                kinds,
                new RunTurns(store, parts, limits),
                mentions);
        this.starter = new RunStarter(store, parts, defaultAgent, ender, engine);
        this.fullHistory = new FullHistoryRuns(store, parts, starter, limits);
        this.contexts = new RunContexts(store, parts);
        this.usages = new AnswerUsages(parts.database());
        this.rights = new RunRights(parts.database());
        RunLeases leases = new RunLeases(parts.database());
        this.external = new ExternalRuns(store, leases, log, threads, ender, clock, settings, mentions);
        this.keeper = new RunKeeper(
                leases,
                new FinishedRuns(parts.database()),
                engine,
                ender,
                new Compaction(parts.database()),
                settings,
                parts.nodes());
    }

    private void takenOver(UUID task) {
        engine.takenOver(task);
        external.takenOver(task);
    }

    /** The state that an announcement of a run tells of. */
    public static String stateIn(Event.Announced announced) {
        return Json.MAPPER.readTree(announced.payload()).path("state").asString("");
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

    /** What a client sent for a run, once it is found to be well-formed. */
    public RunAgentInput check(JsonNode body) {
        return inputRules.check(body);
    }

    /** Starts a run, or finds the one that the same request started before. */
    public Run start(Principal caller, ThreadId thread, RunAgentInput given, RunOptions options) {
        RunStarter.requireScopes(caller);
        Optional<ThreadRoster> known = starter.known(caller, thread);
        // From here on without tokens: a retry may bring a fresh URL of the same object.
        RunAgentInput input = TokenFreeInput.of(given, attachments::nameIn);
        Optional<Run> before = known.flatMap(there -> store.find(thread, input.runId()));
        if (before.isPresent()) {
            return repeated(caller, input, before.get());
        }
        starter.requireOpen();
        RunFiles files = RunFiles.require(given, (url, type) -> attachments.usable(caller, url, type));
        RegisteredAgent agent = starter.agentFor(caller, options, known, input);
        RunOptions.requireRead(input.forwardedProps(), agent.kind());
        RunStarter.Plan plan = plan(caller, thread, input, options, known.isPresent(), files);
        try {
            return starter.begin(caller, thread, known, agent, plan);
        } catch (ProblemException refused) {
            // Somebody with the same name was faster; perhaps it was this very request.
            Optional<Run> other =
                    refused.problem() == Problem.KEY_REUSED ? store.find(thread, input.runId()) : Optional.empty();
            return repeated(caller, input, other.orElseThrow(() -> refused));
        }
    }

    private Run repeated(Principal caller, RunAgentInput input, Run before) {
        Digest asked = RunStart.fingerprint(caller, input);
        if (store.fingerprint(before.taskId()).filter(asked::equals).isEmpty()
                && !store.isErased(before.taskId(), caller.actor())) {
            throw new ProblemException(
                    Problem.KEY_REUSED,
                    "This runId was used in this thread for another run (" + before.taskId() + ").");
        }
        starter.makeWay(before);
        return before;
    }

    private RunStarter.Plan plan(
            Principal caller, ThreadId thread, RunAgentInput input, RunOptions options, boolean known, RunFiles files) {
        UUID parent = parentOf(thread, input.parentRunId(), known);
        RevisedMessage again = starter.wishedQuestion(thread, options, known);
        Message.User user = (Message.User) input.messages().getFirst();
        boolean sameQuestion = again != null && isSameQuestion(again, user);
        if (again != null && !sameQuestion) {
            RunStarter.requireOwnQuestion(caller, again);
        }
        RunStarter.requireResumable(input, known);
        NewMessages said = new NewMessages(
                known ? results(thread, input) : List.of(),
                sameQuestion ? List.of() : List.of(new NewMessages.Question(user, files, false)),
                files.all());
        return new RunStarter.Plan(input, options, parent, again, said);
    }

    private @Nullable UUID parentOf(ThreadId thread, @Nullable String runId, boolean known) {
        if (runId == null) {
            return null;
        }
        return (known ? store.find(thread, runId) : Optional.<Run>empty())
                .map(Run::taskId)
                .orElseThrow(() -> ProblemException.invalidField("parentRunId", "names no run of this thread"));
    }

    /** One result per call, whoever brings it: the first one that arrives is the result. */
    private List<NewMessages.Result> results(ThreadId thread, RunAgentInput input) {
        List<Message.Tool> brought = input.messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(Message.Tool.class::cast)
                .toList();
        if (brought.isEmpty()) {
            return List.of();
        }
        return NewMessages.Result.of(
                store.openCalls(
                        thread, brought.stream().map(Message.Tool::toolCallId).toList()),
                brought);
    }

    /** Whether a message is to be answered again as it is: same words, and the same images or none mentioned. */
    private static boolean isSameQuestion(RevisedMessage again, Message.User user) {
        List<String> images =
                BinaryBlock.in(user).map(block -> String.valueOf(block.url())).toList();
        return again.content().equals(user.content().plainText())
                && (images.isEmpty()
                        || images.equals(
                                RunFiles.keysIn(again.original().content().metadata()).stream()
                                        .map(ObjectKey::toString)
                                        .toList()));
    }

    /** A run of a thread that the caller may read. */
    public Run require(Principal caller, ThreadId thread, String id) {
        threads.requireReadable(caller, thread);
        return store.find(thread, id).orElseThrow(Runs::noSuchRun);
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

    /** A place in a thread's list of runs, which goes by the position at which they were made. */
    public record RunCursor(long createdPosition, UUID task) {
        public static final RunCursor END = new RunCursor(Long.MAX_VALUE, new UUID(-1, -1));
    }

    /** The runs of a thread before a place, the newest first. */
    public List<Run> list(Principal caller, ThreadId thread, RunCursor before, int limit) {
        threads.requireReadable(caller, thread);
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

    /** What became of a wish to cancel. */
    public enum Cancelled {
        ACCEPTED,
        FINISHED,
        UNKNOWN
    }

    /** Cancels a run; when this returns, nothing of it follows any more. */
    public Cancelled cancel(Principal caller, ThreadId thread, String id) {
        ThreadRoster roster = threads.requireAllowed(caller, thread, Capability.CAN_RUN);
        Optional<Run> run = store.find(thread, id);
        if (run.isEmpty()) {
            return Cancelled.UNKNOWN;
        }
        rights.require(caller, roster, run.get());
        // A child lives and ends with its root.
        UUID task = Objects.requireNonNullElse(run.get().root(), run.get().taskId());
        return ender.end(task, Intention.CANCEL) ? Cancelled.ACCEPTED : Cancelled.FINISHED;
    }

    /**
     * Cancels the run of a name. A client that has come back may not know under which name its run was started: then it
     * means what goes on, of the agent if it names one.
     *
     * @return whether something was stopped
     */
    public boolean stop(Principal caller, ThreadId thread, @Nullable Actor agent, @Nullable String runId) {
        Cancelled named = runId == null ? Cancelled.UNKNOWN : cancel(caller, thread, runId);
        if (named != Cancelled.UNKNOWN) {
            return named == Cancelled.ACCEPTED;
        }
        ThreadRoster roster = threads.requireAllowed(caller, thread, Capability.CAN_RUN);
        Optional<Run> going = unfinished(thread, agent)
                .filter(run -> agent == null || run.agent().equals(agent));
        going.ifPresent(run -> rights.require(caller, roster, run));
        return going.filter(run -> ender.end(run.taskId(), Intention.CANCEL)).isPresent();
    }

    /**
     * Cancels all of the caller's that goes on or waits in a thread; refused if all of it is others'.
     *
     * @return the names of the runs that this has ended
     */
    public List<String> stopAll(Principal caller, ThreadId thread) {
        ThreadRoster roster = threads.requireAllowed(caller, thread, Capability.CAN_RUN);
        List<Run> unfinished = store.unfinished(thread);
        List<Run> own = rights.allowed(caller, roster, unfinished);
        if (own.isEmpty() && !unfinished.isEmpty()) {
            throw RunOwners.foreign(unfinished.getFirst().runId()).toException();
        }
        return own.stream()
                .filter(run -> ender.end(run.taskId(), Intention.CANCEL))
                .map(Run::runId)
                .toList();
    }

    /**
     * The state that a thread's agents and clients share.
     *
     * @param version counts its replacements; 0 if there was none
     */
    public record ThreadState(long version, @Nullable String json) {}

    public ThreadState state(Principal caller, ThreadId thread) {
        threads.requireReadable(caller, thread);
        return store.state(thread)
                .map(state -> new ThreadState(state.version(), state.json()))
                .orElseGet(() -> new ThreadState(0, null));
    }

    /**
     * The run whose answer stands in place of a run's: the latest one that supersedes it, or that took the place of a run
     * which was taken back; else the run itself.
     */
    public Run standing(Run run) {
        Run now = store.find(run.taskId()).orElseThrow(Runs::noSuchRun);
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
        List<Run> all = store.unfinished(thread);
        return Stream.of(true, false)
                .flatMap(own -> Stream.of(true, false)
                        .flatMap(running -> all.stream()
                                .filter(run -> run.state() instanceof RunState.Running == running
                                        && run.agent().equals(agent) == own)))
                .findFirst();
    }

    /** Whoever asked for a run is gone, and wanted it to end with them. */
    public void abandon(Run run) {
        ender.end(run.taskId(), Intention.CANCEL);
    }

    /** Runs of clients that send the whole conversation every time. */
    public FullHistoryRuns resent() {
        return fullHistory;
    }

    /** The state that a thread's agents and clients share, for whoever may read the thread. */
    public Optional<JsonNode> sharedState(ThreadId thread) {
        return store.state(thread).map(state -> Json.MAPPER.readTree(state.json()));
    }

    /** Runs that their agents drive from outside. */
    public ExternalRuns outside() {
        return external;
    }

    /** What the messages of runs have used. */
    public AnswerUsages usages() {
        return usages;
    }

    /** What the models of runs were shown, and what that cost. */
    public RunContexts contexts() {
        return contexts;
    }

    static ProblemException noSuchRun() {
        return notFound("There is no such run in this thread.", Problem.RUN_NOT_FOUND);
    }

    private static ProblemException notFound(String detail, Problem problem) {
        return new ProblemException(problem, detail);
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
