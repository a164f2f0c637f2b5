package dev.parley.runs;

import dev.parley.agents.Agent;
import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attachments;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.Command;
import dev.parley.log.Compaction;
import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadChange;
import dev.parley.threads.ThreadSnapshot;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The front door of runs: starting, finding and cancelling them; and it keeps those of this node going. */
public final class Runs implements AutoCloseable {
    /** The event by which a conversation is told of its runs. */
    public static final String UPDATED = "run_updated";

    /** How far back a message is looked for by the id that its client gave it. */
    private static final int SEARCHED = 1_000;

    private final RunStore store;
    private final Log log;
    private final LogReader reader;
    private final Threads threads;
    private final Messages messages;
    private final Agents agents;
    private final Attachments attachments;
    private final Actor defaultAgent;
    private final RunInputRules inputRules;
    private final RunEnder ender;
    private final RunEngine engine;
    private final RunKeeper keeper;
    private final OutsideRuns outside;
    private volatile boolean stopping;

    /** What runs are made of. */
    public record Parts(
            Database database,
            Log log,
            LogReader reader,
            Threads threads,
            Messages messages,
            Agents agents,
            Attachments attachments) {}

    /** @param kinds how agents of each kind that we run are called */
    public Runs(
            Parts parts,
            Map<RegisteredAgent.Kind, Agent> kinds,
            Actor defaultAgent,
            RunSettings settings,
            Limits limits,
            Clock clock) {
        this.store = new RunStore(parts.database());
        this.log = parts.log();
        this.reader = parts.reader();
        this.threads = parts.threads();
        this.messages = parts.messages();
        this.agents = parts.agents();
        this.attachments = parts.attachments();
        this.defaultAgent = defaultAgent;
        this.inputRules = new RunInputRules(limits);
        UUID node = UuidV7.next();
        // Before anything is claimed: a node that is not known to be alive loses what it claims.
        store.beat(node);
        BiFunction<Run, String, List<Actor>> mentions =
                (run, text) -> messages.namedIn(run.thread(), run.agent(), text);
        this.ender = new RunEnder(store, log, reader, clock, node, mentions, this::takenOver);
        RunTurns turns = new RunTurns(store, threads, messages, attachments, limits.contextMessages());
        this.engine = new RunEngine(
                store,
                log,
                clock,
                node,
                settings,
                ender,
                agent -> agents.find(agent).map(found -> kinds.get(found.kind())),
                turns::of,
                mentions);
        this.outside = new OutsideRuns(store, log, threads, ender, clock, settings, mentions);
        this.keeper = new RunKeeper(store, engine, ender, new Compaction(parts.database()), settings, node);
    }

    private void takenOver(UUID task) {
        engine.takenOver(task);
        outside.takenOver(task);
    }

    /** Told of every commit on this node: a run may be waiting. */
    public void committed(List<Event> events) {
        engine.committed(events);
    }

    /** What a client sent for a run, once it is found to be well-formed. */
    public RunAgentInput check(JsonNode body) {
        return inputRules.check(body);
    }

    /** Starts a run, or finds the one that the same request started before. */
    public Run start(Principal caller, ThreadId thread, RunAgentInput given, RunWishes wishes) {
        caller.requireScope(Capability.CAN_RUN);
        caller.requireScope(Capability.CAN_SEND);
        Optional<ThreadSnapshot> known = threads.isTaken(thread)
                ? Optional.of(threads.requireAllowed(caller, thread, Capability.CAN_RUN))
                : Optional.empty();
        // From here on without tokens: a retry may bring a fresh URL of the same object.
        RunAgentInput input = TokenFreeInput.of(given, attachments::nameIn);
        Optional<Run> before = known.flatMap(there -> store.find(thread, input.runId()));
        if (before.isPresent()) {
            return repeated(caller, input, before.get());
        }
        if (stopping) {
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        }
        RunImages images = RunImages.require(given, (url, type) -> attachments.usable(caller, url, type));
        RegisteredAgent agent = agentFor(caller, wishes, known);
        RunStart start = plan(caller, thread, input, wishes, agent, known, images);
        if (known.isEmpty()) {
            requireOwner(caller);
            threads.createFor(caller, thread, agent.actor());
            threads.requireAllowed(caller, thread, Capability.CAN_RUN);
        }
        try {
            log.append(new Command(UuidV7.next(), thread, caller.actor(), start.changes()));
        } catch (ProblemException refused) {
            // Somebody with the same name was faster; perhaps it was this very request.
            Optional<Run> other =
                    refused.problem() == Problem.KEY_REUSED ? store.find(thread, input.runId()) : Optional.empty();
            return repeated(caller, input, other.orElseThrow(() -> refused));
        }
        Run run = require(start.task());
        makeWay(run);
        return run;
    }

    private static void requireOwner(Principal caller) {
        if (!(caller instanceof Principal.User)) {
            throw notFound("There is no such thread.", Problem.THREAD_NOT_FOUND);
        }
    }

    private Run repeated(Principal caller, RunAgentInput input, Run before) {
        Digest asked = RunStart.fingerprint(caller, input);
        if (store.fingerprint(before.taskId()).filter(asked::equals).isEmpty()) {
            throw new ProblemException(
                    Problem.KEY_REUSED,
                    "This runId was used in this thread for another run (" + before.taskId() + ").");
        }
        makeWay(before);
        return before;
    }

    private RunStart plan(
            Principal caller,
            ThreadId thread,
            RunAgentInput input,
            RunWishes wishes,
            RegisteredAgent agent,
            Optional<ThreadSnapshot> known,
            RunImages images) {
        UUID parent = parentOf(thread, input.parentRunId(), known.isPresent());
        RevisedMessage again = questionOf(thread, wishes.regenerateFrom(), known.isPresent());
        requireOwnQuestion(caller, again, input);
        requireResumable(input, known.isPresent());
        ThreadChange joining = known.filter(there -> there.member(agent.actor()).isEmpty())
                .map(there -> threads.joining(caller, thread, agent.actor()))
                .orElse(null);
        return new RunStart(
                UuidV7.next(),
                thread,
                caller,
                agent.actor(),
                agent.kind() == RegisteredAgent.Kind.EXTERNAL ? Run.Driver.OUTSIDE : Run.Driver.NODE,
                input,
                wishes,
                joining,
                parent,
                again,
                openCalls(thread, input, known.isPresent()),
                images);
    }

    private @Nullable UUID parentOf(ThreadId thread, @Nullable String runId, boolean known) {
        if (runId == null) {
            return null;
        }
        return (known ? store.find(thread, runId) : Optional.<Run>empty())
                .map(Run::taskId)
                .orElseThrow(() -> ProblemException.invalidField("parentRunId", "names no run of this thread"));
    }

    private @Nullable RevisedMessage questionOf(ThreadId thread, @Nullable String messageId, boolean known) {
        if (messageId == null) {
            return null;
        }
        return (known ? question(thread, messageId) : Optional.<RevisedMessage>empty())
                .orElseThrow(() -> ProblemException.invalidField(
                        "forwardedProps.regenerateFrom", "names no user message of this thread"));
    }

    /** Anybody may have a question answered again; to put it differently is its author's. */
    private static void requireOwnQuestion(Principal caller, @Nullable RevisedMessage again, RunAgentInput input) {
        if (again != null
                && !RunStart.isSameQuestion(again, input)
                && !again.original().said().author().equals(caller.actor())) {
            throw new ProblemException(
                    Problem.FORBIDDEN,
                    "Only its author may change a question; send its text as it is to ask it again.");
        }
    }

    private List<RunStore.LeftCall> openCalls(ThreadId thread, RunAgentInput input, boolean known) {
        List<String> results = results(input);
        return known && !results.isEmpty() ? store.openCalls(thread, results) : List.of();
    }

    private static List<String> results(RunAgentInput input) {
        return input.messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(message -> ((Message.Tool) message).toolCallId())
                .toList();
    }

    /** Which questions are open is judged with the append; a thread that is not there yet has none. */
    private static void requireResumable(RunAgentInput input, boolean known) {
        Set<String> named = new HashSet<>();
        for (int i = 0; i < input.resume().size(); i++) {
            String field = "resume[" + i + "].interruptId";
            if (!known) {
                throw ProblemException.invalidField(field, "names no open interrupt of this thread");
            }
            if (!named.add(input.resume().get(i).interruptId())) {
                throw ProblemException.invalidField(field, "is decided about twice");
            }
        }
    }

    /** Who answers: the one that was named, else the thread's agent, else the server's. */
    private RegisteredAgent agentFor(Principal caller, RunWishes wishes, Optional<ThreadSnapshot> known) {
        if (wishes.agentId() != null) {
            String given = wishes.agentId();
            Actor named = Actor.parse(given.startsWith("agent:") ? given : "agent:" + given)
                    .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                    .orElseThrow(() -> notFound("There is no such agent.", Problem.AGENT_NOT_FOUND));
            return agents.requireUsable(caller, named);
        }
        Optional<RegisteredAgent> own = known.stream()
                .flatMap(there -> there.members().stream())
                .map(ThreadSnapshot.Member::actor)
                .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                .map(agents::find)
                .flatMap(Optional::stream)
                .filter(RegisteredAgent::active)
                .findFirst();
        if (own.isPresent()) {
            return own.get();
        }
        return agents.requireUsable(caller, defaultAgent);
    }

    /** A user message by its id: of several that were given the same one, the latest. */
    private Optional<RevisedMessage> question(ThreadId thread, String id) {
        Optional<RevisedMessage> recent = messages.lastBefore(thread, Long.MAX_VALUE, SEARCHED).reversed().stream()
                .filter(message -> message.original().said().role() == Role.USER)
                .filter(message -> id.equals(message.original().said().id())
                        || id.equals(message.original().said().clientMessageId()))
                .findFirst();
        return recent.isPresent()
                ? recent
                : reader.findByKey(thread, EntryKey.id(id))
                        .filter(entry -> entry.said().role() == Role.USER)
                        .map(Entry::seq)
                        .flatMap(seq ->
                                messages.at(thread, List.of(seq)).stream().findFirst());
    }

    /** Ends what was marked for it when a run came that did not want to wait. */
    private void makeWay(Run run) {
        if (Intention.towardsActive(run.strategy()) != null) {
            store.unfinished(run.thread()).stream()
                    .filter(other -> other.ending() != null && other.state() instanceof RunState.Running)
                    .forEach(other -> ender.end(other.taskId(), Intention.CANCEL));
        }
    }

    private Run require(UUID task) {
        return store.find(task).orElseThrow(() -> new IllegalStateException("Run " + task + " is gone"));
    }

    /** A run of a thread that the caller may read. */
    public Run require(Principal caller, ThreadId thread, String id) {
        threads.requireReadable(caller, thread);
        return store.find(thread, id).orElseThrow(Runs::noSuchRun);
    }

    /** A place in a thread's list of runs, which goes by the position at which they were made. */
    public record Place(long createdPosition, UUID task) {
        public static final Place END = new Place(Long.MAX_VALUE, new UUID(-1, -1));
    }

    /** The runs of a thread before a place, the newest first. */
    public List<Run> list(Principal caller, ThreadId thread, Place before, int limit) {
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
        threads.requireAllowed(caller, thread, Capability.CAN_RUN);
        Optional<Run> run = store.find(thread, id);
        if (run.isEmpty()) {
            return Cancelled.UNKNOWN;
        }
        // A child lives and ends with its root.
        UUID task = Objects.requireNonNullElse(run.get().root(), run.get().taskId());
        return ender.end(task, Intention.CANCEL) ? Cancelled.ACCEPTED : Cancelled.FINISHED;
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

    /** Runs that their agents drive from outside. */
    public OutsideRuns outside() {
        return outside;
    }

    static ProblemException noSuchRun() {
        return notFound("There is no such run in this thread.", Problem.RUN_NOT_FOUND);
    }

    private static ProblemException notFound(String detail, Problem problem) {
        return new ProblemException(problem, detail);
    }

    /** Takes no new runs and lets those under way finish, for a while. */
    @Override
    public void close() {
        stopping = true;
        engine.close();
        keeper.close();
    }
}
