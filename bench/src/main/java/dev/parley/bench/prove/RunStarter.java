package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Starts one run after the other, most of them in threads of their own, and asks again with the same runId until it is
 * told that it was taken. Now and then it asks once more, and must be told of the same run.
 */
final class RunStarter implements Runnable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int MAX_PAUSE_MILLIS = 600;

    private final Route route;
    private final AtomicInteger left;
    private final SplittableRandom random;
    private final Acknowledgements acknowledgements;
    private final Incidents incidents;
    private final Consumer<StartedRun> started;
    private ThreadId thread = ThreadId.fresh();

    /** @param left how many are still to be started, by all starters together */
    RunStarter(
            Route route,
            AtomicInteger left,
            SplittableRandom random,
            Acknowledgements acknowledgements,
            Incidents incidents,
            Consumer<StartedRun> started) {
        this.route = route;
        this.left = left;
        this.random = random;
        this.acknowledgements = acknowledgements;
        this.incidents = incidents;
        this.started = started;
    }

    @Override
    public void run() {
        try {
            while (left.getAndDecrement() > 0) {
                if (random.nextInt(4) > 0) {
                    thread = ThreadId.fresh();
                }
                start("run-" + UUID.randomUUID(), Prompt.any(random));
                Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            incidents.unexpected("a starter broke off: " + bug);
        }
    }

    private void start(String runId, Prompt prompt) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Optional<UUID> task = tried(runId, prompt);
        while (task.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                incidents.stuck("nothing was heard of run " + runId + " for " + TIMEOUT);
                return;
            }
            route.moveOn();
            Thread.sleep(20 + random.nextInt(150));
            task = tried(runId, prompt);
        }
        StartedRun run = new StartedRun(thread, runId, task.get(), prompt);
        started.accept(run);
        if (random.nextInt(8) == 0) {
            route.moveOn();
            tried(runId, prompt)
                    .filter(again -> !again.equals(run.task()))
                    .ifPresent(again -> incidents.unexpected(run + " was acknowledged again as " + again));
        }
    }

    private Optional<UUID> tried(String runId, Prompt prompt) {
        long start = System.nanoTime();
        try {
            UUID task = route.here().runs().start(thread, runId, prompt.text()).taskId();
            acknowledgements.add(start);
            return Optional.of(task);
        } catch (ParleyUnreachable nobody) {
            incidents.met("no answer");
        } catch (ParleyProblem problem) {
            incidents.met(problem.slug());
            if (!problem.retryable()) {
                incidents.unexpected("run " + runId + " was refused: " + problem.getMessage());
            }
        }
        return Optional.empty();
    }
}
