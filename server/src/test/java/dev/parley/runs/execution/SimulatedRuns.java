package dev.parley.runs.execution;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.EntryKind;
import dev.parley.log.Head;
import dev.parley.log.OutdatedCommand;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.runs.guard.ClientVerdict;
import dev.parley.runs.guard.Streams;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunFacts;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunLines;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.Supersession;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.ThreadFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The database of a simulated history: one thread's runs and what they said, changed by commands only, as the lane and
 * its writer of run changes would. After each command it sees whether the promises about runs still hold.
 */
final class SimulatedRuns {
    static final ThreadId THREAD = new ThreadId(new UUID(7, 7));
    static final Actor CALLER = Actor.user(new UUID(7, 1));

    private final long seed;
    private final Function<RunRule.Facts, Rule.Judge> rule;
    /** The seq of the one question that all runs answer. */
    static final long QUESTION = 1;

    private final Map<UUID, Run> rows = new LinkedHashMap<>();
    private final Map<UUID, List<AguiEvent>> logs = new HashMap<>();
    private final Map<UUID, List<String>> messages = new HashMap<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Map<UUID, Long> supersessions = new HashMap<>();
    private final Set<Long> lifted = new HashSet<>();
    private long seq = QUESTION;
    private final Set<UUID> found = new HashSet<>();
    private final Map<Actor, ThreadFacts.Member> members = new HashMap<>();
    private long position;

    /** @param rule the judgement under test; a planted bug is another one */
    SimulatedRuns(long seed, Function<RunRule.Facts, Rule.Judge> rule, List<Actor> agents) {
        this.seed = seed;
        this.rule = rule;
        ThreadFacts.Member member = new ThreadFacts.Member(Capability.toBits(Capability.TAKE_PART), null, true, true);
        members.put(CALLER, member);
        agents.forEach(agent -> members.put(agent, member));
    }

    Run row(UUID task) {
        return Optional.ofNullable(rows.get(task)).orElseThrow();
    }

    List<Run> rows() {
        return List.copyOf(rows.values());
    }

    List<AguiEvent> logged(UUID task) {
        return List.copyOf(logs.getOrDefault(task, List.of()));
    }

    void remove(Actor agent) {
        members.remove(agent);
    }

    /** Whether a command whose answer was lost is found by what it left in the log. */
    boolean holds(Command command) {
        return found.contains(command.id());
    }

    /** Carries a command out; what it was refused with, if it was. */
    Optional<Problem> commit(Command command) {
        Rule.Judge judge = rule.apply(facts());
        RunFence fence = command.fence();
        if (fence != null && !judge.honours(fence, THREAD)) {
            return Optional.of(Problem.RUN_TAKEN_OVER);
        }
        Head head = new Head(THREAD, 0, position, Instant.EPOCH, Digest.ZERO, 0);
        Optional<Refusal> judged = judge.judge(command, head);
        if (judged.isPresent() && judged.get().outdated()) {
            throw new OutdatedCommand(judged.get().detail());
        }
        Optional<Problem> refusal = judged.map(Refusal::problem);
        if (refusal.isEmpty()) {
            if (fence != null) {
                require(
                        row(fence.run()).state() instanceof RunState.Unfinished held && held.epoch() == fence.epoch(),
                        "somebody wrote in the name of a run that it did not hold");
            }
            command.changes().forEach(change -> apply(command, change));
            checkSlots();
        }
        return refusal;
    }

    private RunRule.Facts facts() {
        Set<RunFacts.Name> names = rows.values().stream()
                .map(run -> new RunFacts.Name(THREAD, run.runId()))
                .collect(Collectors.toSet());
        List<Run> unfinished =
                rows.values().stream().filter(run -> !run.isOver()).toList();
        return new RunRule.Facts(
                new RunFacts(
                        Map.copyOf(rows),
                        Map.of(THREAD, unfinished),
                        names,
                        Set.of(),
                        superseded(),
                        liftable(),
                        Map.of()),
                Map.of(THREAD, new ThreadFacts(false, ParticipationMode.OPEN, false, null, members)),
                Map.of(THREAD, position));
    }

    private Set<UUID> superseded() {
        return rows.values().stream()
                .filter(run -> rows.values().stream().anyMatch(later -> supersedes(later, run)))
                .map(Run::taskId)
                .collect(Collectors.toSet());
    }

    private static boolean supersedes(Run later, Run run) {
        return later.positions().created() > run.positions().created()
                && later.readsTo() != null
                && later.readsTo() <= run.triggers().getLast();
    }

    private Map<UUID, List<Long>> liftable() {
        return rows.values().stream()
                .filter(run -> run.readsTo() != null)
                .collect(Collectors.toMap(Run::taskId, this::liftable));
    }

    private List<Long> liftable(Run ending) {
        long own = Objects.requireNonNull(supersessions.get(ending.taskId()));
        List<Long> seqs = new ArrayList<>(List.of(own));
        answers.stream()
                .filter(Answer::superseded)
                .filter(answer -> supersedes(ending, row(answer.run())))
                .filter(answer -> rows.values().stream()
                        .noneMatch(other -> !other.equals(ending) && supersedes(other, row(answer.run()))))
                .forEach(answer -> seqs.add(answer.seq()));
        Collections.sort(seqs);
        return seqs;
    }

    /** What a run is told of its place among those that supersede each other. */
    Supersession.View supersession(UUID task) {
        return new Supersession.View() {
            @Override
            public boolean isSuperseded() {
                return superseded().contains(task);
            }

            @Override
            public List<Long> liftable() {
                return SimulatedRuns.this.liftable(row(task));
            }
        };
    }

    /** An answer stands if and only if no run supersedes its own; a run that came to nothing supersedes none. */
    private void checkSupersession() {
        Set<UUID> superseded = superseded();
        for (Answer answer : answers) {
            boolean hidden = answer.superseded() && !lifted.contains(answer.seq())
                    || supersessions.values().stream().anyMatch(seq -> seq > answer.seq() && !lifted.contains(seq));
            require(
                    answer.withdrawn() || hidden == superseded.contains(answer.run()),
                    "an answer of " + row(answer.run()).runId() + (hidden ? " is hidden" : " stands"));
        }
        for (Run run : rows.values()) {
            boolean silent = answers.stream().noneMatch(answer -> answer.run().equals(run.taskId()));
            require(
                    !silent || run.readsTo() == null || run.state().wire().equals("completed"),
                    run.runId() + " hides what others said, and says nothing");
        }
    }

    private void append(Command command, Draft draft) {
        seq++;
        RunFence fence = command.fence();
        if (draft.content().kind() == EntryKind.SUPERSESSION && fence == null) {
            supersessions.put(
                    RunFacts.changes(command).stream()
                            .filter(RunEffect.Opened.class::isInstance)
                            .map(effect -> ((RunEffect.Opened) effect).run().taskId())
                            .findFirst()
                            .orElseThrow(),
                    seq);
        } else if (draft.content().kind() == EntryKind.SUPERSESSION) {
            lifted.add(Objects.requireNonNull(draft.content().targetSeq()));
        } else if (draft.content().kind() == EntryKind.MESSAGE && fence != null) {
            String metadata = String.valueOf(draft.content().metadata());
            answers.add(new Answer(
                    seq,
                    fence.run(),
                    metadata.contains("\"superseded\":true"),
                    metadata.contains("\"withdrawn\":true")));
            messages.computeIfAbsent(fence.run(), run -> new ArrayList<>())
                    .add(draft.content().text());
        }
    }

    private void apply(Command command, Change change) {
        switch (change) {
            case Change.Announce _ -> leave(command);
            case Change.Emit emit -> {
                leave(command);
                emit.events().forEach(line -> say(emit.run(), RunLines.read(line)));
            }
            case Change.Append(var draft) -> {
                leave(command);
                append(command, draft);
            }
            case Change.Apply(RunEffect.Opened opened) -> open(opened);
            case Change.Apply(RunEffect.Moved moved) -> move(moved);
            case Change.Apply(RunEffect.Fed fed) -> feed(fed);
            case Change.Apply(RunEffect.Lifted lift) -> {
                Run run = row(lift.task());
                put(run, run.state(), run.ending(), null, run.positions().first(), run.nextEvent());
            }
            case Change.Apply _ -> {}
        }
    }

    private void leave(Command command) {
        position++;
        found.add(command.id());
    }

    private void say(UUID task, AguiEvent event) {
        List<AguiEvent> log = logs.computeIfAbsent(task, run -> new ArrayList<>());
        require(log.stream().noneMatch(SimulatedRuns::isTerminal), event.type() + " after the end of a run");
        log.add(event);
    }

    private void open(RunEffect.Opened opened) {
        RunIdentity opening = opened.run();
        require(!rows.containsKey(opening.taskId()), "a run was opened twice");
        require(
                opening.strategy() != MultitaskStrategy.REJECT
                        || rows.values().stream()
                                .noneMatch(run -> !run.isOver()
                                        && run.driver() == Run.Driver.NODE
                                        && run.agent().equals(opening.agent())),
                "a run was opened beside one that it does not go with");
        Long first = opened.state() instanceof RunState.Running ? Long.valueOf(position + 1) : null;
        rows.put(
                opening.taskId(),
                new Run(
                        opening,
                        opened.state(),
                        opened.state().attempts(),
                        null,
                        List.of(QUESTION),
                        opened.birth().readsTo(),
                        new Run.Positions(position, first, null),
                        0,
                        Run.Result.NONE,
                        new Run.Times(Instant.EPOCH, null, null)));
    }

    private void move(RunEffect.Moved moved) {
        Run run = row(moved.task());
        require(run.state() instanceof RunState.Unfinished, "a run moved after its end");
        int epoch = ((RunState.Unfinished) run.state()).epoch();
        switch (moved.to()) {
            case RunState.Unfinished next -> {
                require(next.epoch() > epoch, "a run went on under an old epoch");
                require(next.attempts() <= RunSettings.ATTEMPTS, "a run was begun " + next.attempts() + " times");
                require(
                        !(next instanceof RunState.Queued) || !RunLedger.isVisible(logged(run.taskId())),
                        "a run was begun again although something of it was visible");
                put(
                        run,
                        next,
                        moved.intention() == null ? run.ending() : moved.intention(),
                        run.positions().first() == null && next instanceof RunState.Running
                                ? Long.valueOf(position + 1)
                                : run.positions().first(),
                        run.nextEvent());
            }
            case RunState.Over over -> {
                require(
                        run.ending() == null || endingOf(Intention.of(run.ending())) == over.ending(),
                        "a run that was to end by " + run.ending() + " is " + over.wire());
                put(run, over, run.ending(), run.positions().first(), run.nextEvent());
            }
        }
    }

    private static RunState.Ending endingOf(Intention intention) {
        return switch (intention) {
            case CANCEL, ROLLBACK -> RunState.Ending.CANCELLED;
            case INTERRUPT, TIME_OUT, SILENCE, UNCLAIMED, EXPEL, GIVE_UP -> RunState.Ending.FAILED;
        };
    }

    private void feed(RunEffect.Fed fed) {
        Run run = row(fed.task());
        require(run.nextEvent() == fed.from(), "a post was taken twice");
        put(run, run.state(), run.ending(), run.positions().first(), fed.next());
    }

    private void put(Run run, RunState state, @Nullable String ending, @Nullable Long first, long nextEvent) {
        put(run, state, ending, run.readsTo(), first, nextEvent);
    }

    private void put(
            Run run,
            RunState state,
            @Nullable String ending,
            @Nullable Long readsTo,
            @Nullable Long first,
            long nextEvent) {
        rows.put(
                run.taskId(),
                new Run(
                        run.identity(),
                        state,
                        state instanceof RunState.Unfinished unfinished ? unfinished.attempts() : run.attempts(),
                        ending,
                        List.of(QUESTION),
                        readsTo,
                        new Run.Positions(run.positions().created(), first, null),
                        nextEvent,
                        Run.Result.NONE,
                        run.times()));
    }

    private void checkSlots() {
        Set<Actor> busy = new HashSet<>();
        for (Run run : rows.values()) {
            if (run.driver() == Run.Driver.NODE && run.state() instanceof RunState.Running) {
                require(busy.add(run.agent()), "two runs of one agent are active at once");
            }
        }
    }

    /** When all is said and done: every run is over, its log is one that clients accept, and its messages are its words. */
    void checkEnds() {
        checkSupersession();
        for (Run run : rows.values()) {
            String name = run.runId();
            require(run.state() instanceof RunState.Over, name + " never ended");
            List<AguiEvent> log = logged(run.taskId());
            require(
                    log.stream().filter(SimulatedRuns::isTerminal).count() == 1 && isTerminal(log.getLast()),
                    name + " has not one end");
            boolean failed = log.getLast() instanceof RunEvent.Failed;
            require(failed == run.state().wire().equals("failed"), name + " ended otherwise than its row says");
            ClientVerdict.on(Streams.sent(log)).ifPresent(fault -> require(false, name + ": " + fault));
            require(
                    Intention.ROLLBACK.wire().equals(run.ending())
                            || words(log).equals(messages.getOrDefault(run.taskId(), List.of())),
                    "what is stored of " + name + " is not what it said");
        }
    }

    /** A message that a run left. */
    private record Answer(long seq, UUID run, boolean superseded, boolean withdrawn) {}

    private static List<String> words(List<AguiEvent> log) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (AguiEvent event : log) {
            if (event instanceof TextEvent.Content content) {
                texts.merge(content.messageId(), content.delta(), String::concat);
            }
        }
        return List.copyOf(texts.values());
    }

    static boolean isTerminal(AguiEvent event) {
        return event instanceof RunEvent.Finished || event instanceof RunEvent.Failed;
    }

    void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ": " + what);
        }
    }
}
