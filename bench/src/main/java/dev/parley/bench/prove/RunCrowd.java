package dev.parley.bench.prove;

import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.Workers;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Starters, viewers and cancellers of runs, and the judgement of their notes. */
public final class RunCrowd implements AutoCloseable {
    /**
     * The time after which a run that has not ended counts as stuck. A dead node loses its runs after a lease, and its
     * successor decides after a lease of its own.
     */
    private static final Duration STUCK = Duration.ofSeconds(60);

    private static final Duration CATCH_UP = Duration.ofSeconds(30);
    private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");

    private final Callers callers;
    private final Size size;
    private final SplittableRandom random;
    private final Acknowledgements acknowledgements;
    private final Incidents incidents;
    private final AtomicInteger left;
    private final List<StartedRun> started = new ArrayList<>();
    private final List<RunViewer> viewers = new ArrayList<>();
    private final List<RunCanceller> cancellers = new ArrayList<>();
    private final Workers starting = new Workers();
    private final Workers viewing = new Workers();
    private final Workers cancelling = new Workers();

    /**
     * The numbers of runs and members.
     *
     * @param viewers the number of viewers of each run
     * @param cancelled the percentage of runs that are cancelled
     */
    public record Size(int runs, int starters, int viewers, int cancelled) {
        Size(int runs, int viewers) {
            this(runs, 2, viewers, 0);
        }
    }

    /** The crowd of one user, whose clients stay open when the crowd is closed. */
    public RunCrowd(Callers callers, Size size, Acknowledgements acknowledgements, Incidents incidents, long seed) {
        this.callers = callers;
        this.size = size;
        this.acknowledgements = acknowledgements;
        this.incidents = incidents;
        this.left = new AtomicInteger(size.runs());
        this.random = new SplittableRandom(seed);
    }

    public synchronized void start() {
        for (int i = 0; i < size.starters(); i++) {
            starting.start("starter", new RunStarter(member("a starter"), left, acknowledgements, this::watch));
        }
    }

    private Member member(String name) {
        return callers.member(name, random.split(), incidents);
    }

    private synchronized void watch(StartedRun run) {
        started.add(run);
        for (int i = 0; i < size.viewers(); i++) {
            RunViewer viewer = new RunViewer(run, member("a viewer of " + run));
            viewers.add(viewer);
            viewing.start("viewer", viewer);
        }
        if (random.nextInt(100) < size.cancelled()) {
            RunCanceller canceller = new RunCanceller(run, member("the canceller of " + run));
            cancellers.add(canceller);
            cancelling.start("canceller", canceller);
        }
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    public Incidents incidents() {
        return incidents;
    }

    /** Starts no more runs, and waits until every starter knows the outcome of its last start. */
    public void stopStarting() throws InterruptedException {
        left.set(0);
        starting.join();
    }

    /** Waits until all runs are started; false on timeout. */
    boolean awaitStarted(Duration limit) throws InterruptedException {
        return starting.join(limit);
    }

    /** True if no member of the crowd is still at work. */
    public synchronized boolean isSettled() {
        return starting.areDone() && viewing.areDone() && cancelling.areDone();
    }

    /** Waits for the end of every run and every viewer, reads all threads again, and judges. */
    public RunOutcome finish(URI server) throws InterruptedException {
        starting.join();
        cancelling.join();
        List<String> lost = new ArrayList<>();
        List<String> stuck = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        Map<String, Long> states = new TreeMap<>();
        try (Parley direct = Parley.connect(server, new Token(callers.user().token()))) {
            Map<String, RunView> views = awaitEnds(direct, lost, stuck);
            awaitViewers(stuck);
            Map<ThreadId, RunReplay> replays = new HashMap<>();
            for (StartedRun run : started) {
                RunView view = views.get(run.runId());
                if (view != null) {
                    states.merge(state(view), 1L, Long::sum);
                    RunReplay replay = replays.computeIfAbsent(run.thread(), thread -> RunReplay.of(direct, thread));
                    violations.addAll(RunJudge.judge(run, view, replay));
                }
            }
            compareViews(replays, violations);
            compareCancels(views, violations);
        }
        return new RunOutcome(states, started.size(), viewers.size(), lost, stuck, violations);
    }

    /** Saves the prompts and the views of all viewers, a line of JSON for each run. */
    public void save(Path file) throws IOException {
        RunNotes.write(file, started, viewers, cancellers);
    }

    private void compareViews(Map<ThreadId, RunReplay> replays, List<String> violations) {
        for (RunViewer viewer : viewers) {
            RunReplay replay = replays.get(viewer.viewed().thread());
            if (viewer.hasEnded() && replay != null) {
                viewer.trace()
                        .differenceTo(replay.run(viewer.viewed().runId()))
                        .ifPresent(difference ->
                                violations.add("a viewer of " + viewer.viewed() + " saw other events: " + difference));
            }
        }
    }

    /**
     * Checks that a run is cancelled if its cancel was accepted. {@link RunJudge} checks that no event follows its end.
     */
    private void compareCancels(Map<String, RunView> views, List<String> violations) {
        for (RunCanceller canceller : cancellers) {
            RunView view = views.get(canceller.cancelled().runId());
            String answer = canceller.answer().orElse("nothing");
            if (view != null && answer.equals("accepted") && !view.state().equals("cancelled")) {
                violations.add(
                        canceller.cancelled() + " is " + view.state() + ", but its cancel was answered with " + answer);
            }
        }
    }

    private static String state(RunView view) {
        return view.error() == null
                ? view.state()
                : view.state() + " " + view.error().code();
    }

    private Map<String, RunView> awaitEnds(Parley direct, List<String> lost, List<String> stuck)
            throws InterruptedException {
        Map<String, RunView> ended = new HashMap<>();
        Deadline deadline = Deadline.in(STUCK);
        for (StartedRun run : started) {
            Optional<RunView> view = direct.runs().find(run.thread(), run.runId());
            while (view.isPresent() && !OVER.contains(view.get().state()) && !deadline.isOver()) {
                Thread.sleep(100);
                view = direct.runs().find(run.thread(), run.runId());
            }
            if (view.isEmpty()) {
                lost.add(run + " was acknowledged, but is lost");
            } else if (OVER.contains(view.get().state())) {
                ended.put(run.runId(), view.get());
            } else {
                stuck.add(run + " is stuck: " + view.get());
            }
        }
        return ended;
    }

    private void awaitViewers(List<String> stuck) throws InterruptedException {
        viewing.join(CATCH_UP);
        viewers.forEach(RunViewer::giveUp);
        viewing.join();
        viewers.stream()
                .filter(viewer -> !viewer.hasEnded())
                .forEach(viewer -> stuck.add("a viewer never saw the end of " + viewer.viewed()));
    }

    @Override
    public void close() {
        starting.interrupt();
        cancelling.interrupt();
        viewers.forEach(RunViewer::giveUp);
        viewing.interrupt();
    }
}
