package dev.parley.bench.prove;

import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Cancels one run at some moment of its life and asks again, at another entrance if there is one, until it is told that
 * the run is over. From then on every node must show it as over.
 */
final class RunCanceller implements Runnable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int LATEST_MILLIS = 2_300;

    private final StartedRun run;
    private final Route route;
    private final SplittableRandom random;
    private final Incidents incidents;
    private volatile Optional<String> answer = Optional.empty();

    RunCanceller(StartedRun run, Route route, SplittableRandom random, Incidents incidents) {
        this.run = run;
        this.route = route;
        this.random = random;
        this.incidents = incidents;
    }

    StartedRun cancelled() {
        return run;
    }

    /** What the cancel was answered with, once it was. */
    Optional<String> answer() {
        return answer;
    }

    @Override
    public void run() {
        try {
            Thread.sleep(random.nextInt(LATEST_MILLIS));
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (answer.isEmpty()) {
                answer = tried();
                if (answer.isEmpty() && System.nanoTime() - deadline > 0) {
                    incidents.stuck("nothing was heard of the cancel of " + run + " for " + TIMEOUT);
                    return;
                }
                route.moveOn();
                Thread.sleep(20 + random.nextInt(150));
            }
            lookAgain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            incidents.unexpected("whoever cancels " + run + " broke off: " + bug);
        }
    }

    private Optional<String> tried() {
        try {
            return Optional.of(
                    route.here().runs().cancel(run.thread(), run.runId()).status());
        } catch (ParleyUnreachable nobody) {
            incidents.met("no answer");
        } catch (ParleyProblem problem) {
            met(problem);
        }
        return Optional.empty();
    }

    /** One look at another entrance than the one that answered; a look that fails says nothing. */
    private void lookAgain() {
        try {
            Optional<RunView> view = route.here().runs().find(run.thread(), run.runId());
            if (view.isEmpty() || view.get().ended() == null) {
                incidents.unexpected(run + " was cancelled, but another look shows "
                        + view.map(RunView::state).orElse("nothing"));
            }
        } catch (ParleyUnreachable nobody) {
            incidents.met("no answer");
        } catch (ParleyProblem problem) {
            met(problem);
        }
    }

    private void met(ParleyProblem problem) {
        incidents.met(problem.slug());
        if (!problem.retryable()) {
            incidents.unexpected("the cancel of " + run + " was refused: " + problem.getMessage());
        }
    }
}
