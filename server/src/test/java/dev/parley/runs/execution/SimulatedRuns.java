package dev.parley.runs.execution;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The database of a simulated history: one thread's runs and their events, changed by commands only, as the lane and its
 * writer of run changes do. After each command it checks the promises about runs.
 */
final class SimulatedRuns {
    static final ThreadId THREAD = new ThreadId(new UUID(7, 7));
    static final Actor CALLER = Actor.user(new UUID(7, 1));

    /** The seq of the one question that all runs answer. */
    static final long QUESTION = 1;

    private final long seed;
    private final Function<RunRule.Facts, Rule.Judge> rule;
    private final Map<UUID, Run> rows = new LinkedHashMap<>();
    private final Map<UUID, List<AguiEvent>> logs = new HashMap<>();
    private final SimulatedAnswers answers;
    private final Set<UUID> committed = new HashSet<>();
    private final Map<Actor, ThreadFacts.Member> members = new HashMap<>();
    private long position;

    /** @param rule the judgement under test, or one with a planted bug */
    SimulatedRuns(long seed, Function<RunRule.Facts, Rule.Judge> rule, List<Actor> agents) {
        this.seed = seed;
        this.rule = rule;
        ThreadFacts.Member member = new ThreadFacts.Member(Capability.toBits(Capability.TAKE_PART), null, true, true);
        members.put(CALLER, member);
        agents.forEach(agent -> members.put(agent, member));
        this.answers = new SimulatedAnswers(this);
    }

    Run row(UUID task) {
        return Optional.ofNullable(rows.get(task)).orElseThrow();
    }

    List<Run> rows() {
        return List.copyOf(rows.values());
    }

    /** The part of a run in the supersession of answers. */
    Supersession.View supersession(UUID task) {
        return answers.view(task);
    }

    List<AguiEvent> logged(UUID task) {
        return List.copyOf(logs.getOrDefault(task, List.of()));
    }

    void remove(Actor agent) {
        members.remove(agent);
    }

    /** True if the command left an entry in the log, by which the lane finds it after a lost answer. */
    boolean holds(Command command) {
        return committed.contains(command.id());
    }

    /** Carries a command out; the result is the problem that refuses it. */
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
                        "a command wrote for a run that its sender did not hold");
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
                        answers.superseded(),
                        answers.liftable(),
                        Map.of()),
                Map.of(THREAD, new ThreadFacts(false, ParticipationMode.OPEN, false, null, false, members)),
                Map.of(THREAD, position));
    }

    private void apply(Command command, Change change) {
        switch (change) {
            case Change.Announce _ -> record(command);
            case Change.Emit emit -> {
                record(command);
                emit.events().forEach(line -> log(emit.run(), RunLines.read(line)));
            }
            case Change.Append(var draft) -> {
                record(command);
                answers.append(command, draft);
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

    private void record(Command command) {
        position++;
        committed.add(command.id());
    }

    private void log(UUID task, AguiEvent event) {
        List<AguiEvent> events = logs.computeIfAbsent(task, run -> new ArrayList<>());
        require(events.stream().noneMatch(SimulatedRuns::isTerminal), event.type() + " after the end of a run");
        events.add(event);
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
                "a run with the strategy reject was opened beside an unfinished one");
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

    /** Every run is over, clients accept its log, and its stored messages equal its streamed words. */
    void checkEnds() {
        answers.check();
        for (Run run : rows.values()) {
            String name = run.runId();
            require(run.state() instanceof RunState.Over, name + " never ended");
            List<AguiEvent> log = logged(run.taskId());
            require(
                    log.stream().filter(SimulatedRuns::isTerminal).count() == 1 && isTerminal(log.getLast()),
                    name + " does not end once, with its last event");
            boolean failed = log.getLast() instanceof RunEvent.Failed;
            require(failed == run.state().wire().equals("failed"), name + " ended otherwise than its row states");
            ClientVerdict.on(Streams.sent(log)).ifPresent(fault -> require(false, name + ": " + fault));
            require(
                    Intention.ROLLBACK.wire().equals(run.ending()) || words(log).equals(answers.texts(run.taskId())),
                    "the stored messages of " + name + " differ from its streamed words");
        }
    }

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

    void require(boolean holds, String violation) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ": " + violation);
        }
    }
}
