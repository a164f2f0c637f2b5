package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Workers;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.sdk.PlacedEvent;
import dev.parley.sdk.RunStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Cancels runs at random moments of their lives. No event of a run may follow the acknowledgement of its cancel. */
final class CancelProof {
    private static final int AT_ONCE = 24;
    private static final int WORDS = 40;
    private static final int LATEST_MILLIS = 2_300;
    private static final Duration AFTERMATH = Duration.ofSeconds(2);
    private static final Duration REPLAY_LIMIT = Duration.ofSeconds(20);

    private final URI server;
    private final Accounts.User user;
    private final long seed;
    private final Map<String, Long> states = new TreeMap<>();
    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private long acknowledged;

    CancelProof(URI server, Accounts.User user, long seed) {
        this.server = server;
        this.user = user;
        this.seed = seed;
    }

    RunFinding run(int cancels) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(cancels);
        SplittableRandom random = new SplittableRandom(seed);
        Workers workers = new Workers();
        try (Parley client = user.connect(server)) {
            for (int i = 0; i < Math.min(AT_ONCE, cancels); i++) {
                SplittableRandom own = random.split();
                workers.start("canceller", () -> work(client, left, own));
            }
            workers.join();
        }
        return new RunFinding(
                "cancel",
                seed,
                cancels,
                acknowledged,
                Map.copyOf(states),
                2 * acknowledged,
                List.of(),
                Map.copyOf(answers),
                List.copyOf(violations));
    }

    private void work(Parley client, AtomicInteger left, SplittableRandom random) {
        try {
            while (left.getAndDecrement() > 0) {
                ThreadId thread = ThreadId.fresh();
                Prompt prompt = random.nextInt(4) > 0 ? Prompt.slow(WORDS) : Prompt.any(random);
                try {
                    cancelOne(client, thread, prompt, random.nextInt(LATEST_MILLIS));
                } catch (ParleyProblem | ParleyUnreachable | IllegalStateException failed) {
                    addViolation("a run of thread " + thread + " could not be cancelled and read: " + failed);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancelOne(Parley client, ThreadId thread, Prompt prompt, int afterMillis) throws InterruptedException {
        StartedRun run = StartedRun.start(client, thread, prompt);
        String runId = run.runId();
        Thread.sleep(afterMillis);
        String answer = client.runs().cancel(thread, runId).status();
        RunTrace atOnce = RunTrace.of(replay(client, thread, runId));
        RunView view = client.runs().find(thread, runId).orElseThrow();
        Thread.sleep(AFTERMATH);
        RunReplay later = RunReplay.of(client, thread);
        note(view, answer);
        RunJudge.judge(run, view, later).forEach(this::addViolation);
        if (!later.run(runId).isExactly(atOnce)) {
            addViolation(run + " went on after its cancel was acknowledged: "
                    + later.run(runId).differenceTo(atOnce).orElse("other events"));
        }
        boolean agrees = switch (answer) {
            case "accepted" -> view.state().equals("cancelled");
            case "finished" -> view.state().equals("completed");
            default -> false;
        };
        if (!agrees) {
            addViolation(run + " is " + view.state() + ", but its cancel was answered with " + answer);
        }
        String again = client.runs().cancel(thread, runId).status();
        if (!again.equals("finished")) {
            addViolation(run + " was cancelled, but a second cancel was answered with " + again);
        }
    }

    /** Reads the events of a finished run until its stream ends. */
    private static List<PlacedEvent> replay(Parley client, ThreadId thread, String runId) {
        List<PlacedEvent> events = new ArrayList<>();
        try (RunStream stream = client.runs().open(thread, runId, null)) {
            while (!stream.isEnded()) {
                Optional<PlacedEvent> event = stream.next(REPLAY_LIMIT);
                events.add(event.orElseThrow(
                        () -> new IllegalStateException("The stream of run " + runId + " has no end")));
            }
        }
        return events;
    }

    private synchronized void note(RunView view, String answer) {
        acknowledged++;
        states.merge(view.state(), 1L, Long::sum);
        answers.merge(answer, 1L, Long::sum);
    }

    private synchronized void addViolation(String violation) {
        violations.add(violation);
    }
}
