package dev.parley.bench.prove;

import dev.parley.protocol.agent.RunView;
import java.util.Optional;

/**
 * Cancels one run at a random moment of its life and repeats the cancel, at another entrance if there is one, until an
 * answer says that the run is over. From then on every node must show the run as over.
 */
final class RunCanceller implements Runnable {
    private static final int LATEST_MILLIS = 2_300;

    private final StartedRun run;
    private final Member member;
    private volatile Optional<String> answer = Optional.empty();

    RunCanceller(StartedRun run, Member member) {
        this.run = run;
        this.member = member;
    }

    StartedRun cancelled() {
        return run;
    }

    /** The answer to the cancel; empty until there is one. */
    Optional<String> answer() {
        return answer;
    }

    @Override
    public void run() {
        member.work(() -> {
            member.pause(0, LATEST_MILLIS);
            String call = "the cancel of " + run;
            answer = member.insist(
                    call,
                    () -> member.incidents()
                            .attempt(
                                    call,
                                    () -> member.client()
                                            .runs()
                                            .cancel(run.thread(), run.runId())
                                            .status()));
            member.moveOn();
            if (answer.isPresent()) {
                lookAgain();
            }
        });
    }

    /** Reads the run once, at an entrance other than the one that answered the cancel. A failed read proves nothing. */
    private void lookAgain() {
        member.incidents()
                .attempt("a look at " + run, () -> member.client().runs().find(run.thread(), run.runId()))
                .filter(view -> view.isEmpty() || view.get().ended() == null)
                .ifPresent(view -> member.incidents()
                        .unexpected(run + " was cancelled, but another look shows "
                                + view.map(RunView::state).orElse("nothing")));
    }
}
