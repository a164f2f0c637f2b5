package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
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

/** Those who start runs, those who watch them and those who cancel some of them, and what they know in the end. */
public final class RunCrowd implements AutoCloseable {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    /** A node that died loses its runs after a lease, and its successor judges after a lease of its own. */
    private static final Duration STUCK = Duration.ofSeconds(60);

    private static final Duration CATCH_UP = Duration.ofSeconds(30);
    private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");

    private final Callers callers;
    private final boolean ownsCallers;
    private final Size size;
    private final SplittableRandom random;
    private final Acknowledgements acknowledgements;
    private final Incidents incidents = new Incidents();
    private final AtomicInteger left;
    private final List<StartedRun> started = new ArrayList<>();
    private final List<RunViewer> viewers = new ArrayList<>();
    private final List<RunCanceller> cancellers = new ArrayList<>();
    private final List<Thread> starting = new ArrayList<>();
    private final List<Thread> viewing = new ArrayList<>();
    private final List<Thread> cancelling = new ArrayList<>();

    /**
     * How much of it.
     *
     * @param viewers of each run
     * @param cancelled how many of a hundred runs are cancelled
     */
    public record Size(int runs, int starters, int viewers, int cancelled) {
        Size(int runs, int viewers) {
            this(runs, 2, viewers, 0);
        }
    }

    /** @param entrance where all of them call, which may be a bad network in front of the server */
    RunCrowd(URI entrance, Accounts.User user, Size size, long seed) {
        this(new Callers(user, List.of(entrance), ANSWER_LIMIT), true, size, new Acknowledgements(), seed);
    }

    /** A crowd that may call at several entrances. */
    public RunCrowd(Callers callers, Size size, Acknowledgements acknowledgements, long seed) {
        this(callers, false, size, acknowledgements, seed);
    }

    private RunCrowd(Callers callers, boolean ownsCallers, Size size, Acknowledgements acknowledgements, long seed) {
        this.callers = callers;
        this.ownsCallers = ownsCallers;
        this.size = size;
        this.acknowledgements = acknowledgements;
        this.left = new AtomicInteger(size.runs());
        this.random = new SplittableRandom(seed);
    }

    public void start() {
        for (int i = 0; i < size.starters(); i++) {
            SplittableRandom own = random.split();
            starting.add(Thread.ofVirtual()
                    .start(new RunStarter(callers.route(own), left, own, acknowledgements, incidents, this::watch)));
        }
    }

    private synchronized void watch(StartedRun run) {
        started.add(run);
        for (int i = 0; i < size.viewers(); i++) {
            SplittableRandom own = random.split();
            RunViewer viewer = new RunViewer(run, callers.route(own), own, incidents);
            viewers.add(viewer);
            viewing.add(Thread.ofVirtual().start(viewer));
        }
        if (random.nextInt(100) < size.cancelled()) {
            SplittableRandom own = random.split();
            RunCanceller canceller = new RunCanceller(run, callers.route(own), own, incidents);
            cancellers.add(canceller);
            cancelling.add(Thread.ofVirtual().start(canceller));
        }
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    public Incidents incidents() {
        return incidents;
    }

    /** Starts no more, and waits until every starter knows what became of its last run. */
    public void stopStarting() throws InterruptedException {
        left.set(0);
        for (Thread starter : starting) {
            starter.join();
        }
    }

    /** Waits a while for all runs to be started; false if there are still some to start. */
    boolean awaitStarted(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Thread starter : starting) {
            if (!starter.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                return false;
            }
        }
        return true;
    }

    /** Whether every viewer has seen the end of its run: nothing is left to wait for. */
    public synchronized boolean isSettled() {
        return starting.stream().noneMatch(Thread::isAlive)
                && viewing.stream().noneMatch(Thread::isAlive)
                && cancelling.stream().noneMatch(Thread::isAlive);
    }

    /** Lets every run and every viewer come to its end, reads everything anew, and judges. */
    public RunOutcome finish(URI server) throws InterruptedException {
        for (Thread starter : starting) {
            starter.join();
        }
        for (Thread canceller : cancelling) {
            canceller.join();
        }
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

    /** Saves what was asked and what everybody saw, a line of JSON for each run. */
    public void save(Path file) throws IOException {
        RunNotes.write(file, started, viewers, cancellers);
    }

    private void compareViews(Map<ThreadId, RunReplay> replays, List<String> violations) {
        for (RunViewer viewer : viewers) {
            RunReplay replay = replays.get(viewer.viewed().thread());
            if (viewer.hasEnded() && replay != null) {
                viewer.trace()
                        .differenceTo(replay.run(viewer.viewed().runId()))
                        .ifPresent(difference -> violations.add(
                                "a viewer of " + viewer.viewed() + " saw something else: " + difference));
            }
        }
    }

    /** That nothing follows a cancelled run's end is part of judging the run; here it must have been cancelled at all. */
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
        long deadline = System.nanoTime() + STUCK.toNanos();
        for (StartedRun run : started) {
            Optional<RunView> view = direct.runs().find(run.thread(), run.runId());
            while (view.isPresent() && !OVER.contains(view.get().state()) && System.nanoTime() - deadline < 0) {
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
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        for (Thread each : viewing) {
            each.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        viewers.forEach(RunViewer::giveUp);
        for (Thread each : viewing) {
            each.join();
        }
        viewers.stream()
                .filter(viewer -> !viewer.hasEnded())
                .forEach(viewer -> stuck.add("a viewer never saw the end of " + viewer.viewed()));
    }

    @Override
    public void close() {
        starting.forEach(Thread::interrupt);
        cancelling.forEach(Thread::interrupt);
        viewers.forEach(RunViewer::giveUp);
        viewing.forEach(Thread::interrupt);
        if (ownsCallers) {
            callers.close();
        }
    }
}
