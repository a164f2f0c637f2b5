package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RetryPolicy;
import dev.parley.sdk.Token;
import java.net.URI;
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

/** Those who start runs and those who watch them, and what they know in the end. */
final class RunCrowd implements AutoCloseable {
    private static final int STARTERS = 2;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    /** A node that died loses its runs after a lease, and its successor judges after a lease of its own. */
    private static final Duration STUCK = Duration.ofSeconds(60);

    private static final Duration CATCH_UP = Duration.ofSeconds(30);
    private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");

    private final Parley client;
    private final Accounts.User user;
    private final Size size;
    private final SplittableRandom random;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final Incidents incidents = new Incidents();
    private final List<StartedRun> started = new ArrayList<>();
    private final List<RunViewer> viewers = new ArrayList<>();
    private final List<Thread> starting = new ArrayList<>();
    private final List<Thread> viewing = new ArrayList<>();

    /** @param viewers of each run */
    record Size(int runs, int viewers) {}

    /** What became of the runs: how many ended how, how many views were compared, and what was wrong. */
    record Outcome(Map<String, Long> states, long runs, long views, List<String> violations) {}

    /** @param entrance where all of them call, which may be a bad network in front of the server */
    RunCrowd(URI entrance, Accounts.User user, Size size, long seed) {
        this.user = user;
        this.size = size;
        this.random = new SplittableRandom(seed);
        // One attempt each, so that every missing answer is seen.
        this.client = Parley.at(entrance)
                .token(new Token(user.token()))
                .answerLimit(ANSWER_LIMIT)
                .retryCalls(RetryPolicy.never())
                .retryStreams(RetryPolicy.never())
                .connect();
    }

    void start() {
        AtomicInteger left = new AtomicInteger(size.runs());
        for (int i = 0; i < STARTERS; i++) {
            RunStarter starter =
                    new RunStarter(client.runs(), left, random.split(), acknowledgements, incidents, this::watch);
            starting.add(Thread.ofVirtual().start(starter));
        }
    }

    private synchronized void watch(StartedRun run) {
        started.add(run);
        for (int i = 0; i < size.viewers(); i++) {
            RunViewer viewer = new RunViewer(run, client.runs(), random.split(), incidents);
            viewers.add(viewer);
            viewing.add(Thread.ofVirtual().start(viewer));
        }
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    Incidents incidents() {
        return incidents;
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

    /** Lets every run and every viewer come to its end, reads everything anew, and judges. */
    Outcome finish(URI server) throws InterruptedException {
        for (Thread starter : starting) {
            starter.join();
        }
        List<String> violations = new ArrayList<>();
        Map<String, Long> states = new TreeMap<>();
        try (Parley direct = Parley.connect(server, new Token(user.token()))) {
            Map<String, RunView> views = awaitEnds(direct, violations);
            awaitViewers(violations);
            Map<ThreadId, RunReplay> replays = new HashMap<>();
            for (StartedRun run : started) {
                RunView view = views.get(run.runId());
                if (view != null) {
                    states.merge(state(view), 1L, Long::sum);
                    RunReplay replay = replays.computeIfAbsent(run.thread(), thread -> RunReplay.of(direct, thread));
                    violations.addAll(RunJudge.judge(run, view, replay));
                }
            }
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
        return new Outcome(states, started.size(), viewers.size(), violations);
    }

    private static String state(RunView view) {
        return view.error() == null
                ? view.state()
                : view.state() + " " + view.error().code();
    }

    private Map<String, RunView> awaitEnds(Parley direct, List<String> violations) throws InterruptedException {
        Map<String, RunView> ended = new HashMap<>();
        long deadline = System.nanoTime() + STUCK.toNanos();
        for (StartedRun run : started) {
            Optional<RunView> view = direct.runs().find(run.thread(), run.runId());
            while (view.isPresent() && !OVER.contains(view.get().state()) && System.nanoTime() - deadline < 0) {
                Thread.sleep(100);
                view = direct.runs().find(run.thread(), run.runId());
            }
            if (view.isEmpty()) {
                violations.add(run + " was acknowledged, but is lost");
            } else if (OVER.contains(view.get().state())) {
                ended.put(run.runId(), view.get());
            } else {
                violations.add(run + " is stuck: " + view.get());
            }
        }
        return ended;
    }

    private void awaitViewers(List<String> violations) throws InterruptedException {
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
                .forEach(viewer -> violations.add("a viewer never saw the end of " + viewer.viewed()));
    }

    @Override
    public void close() {
        starting.forEach(Thread::interrupt);
        viewers.forEach(RunViewer::giveUp);
        viewing.forEach(Thread::interrupt);
        client.close();
    }
}
