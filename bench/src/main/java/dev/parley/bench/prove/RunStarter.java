package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Starts runs one after the other, most of them in threads of their own. The starter repeats a start with the same
 * runId until the start is acknowledged. Now and then it repeats an acknowledged start, and the answer must name the
 * same run.
 */
final class RunStarter implements Runnable {
    private static final int MAX_PAUSE_MILLIS = 600;

    private final Member member;
    private final AtomicInteger left;
    private final Acknowledgements acknowledgements;
    private final Consumer<StartedRun> started;
    private ThreadId thread = ThreadId.fresh();

    /** @param left the number of runs still to be started, by all starters together */
    RunStarter(Member member, AtomicInteger left, Acknowledgements acknowledgements, Consumer<StartedRun> started) {
        this.member = member;
        this.left = left;
        this.acknowledgements = acknowledgements;
        this.started = started;
    }

    @Override
    public void run() {
        member.work(() -> {
            while (left.getAndDecrement() > 0) {
                if (member.random().nextInt(4) > 0) {
                    thread = ThreadId.fresh();
                }
                start("run-" + UUID.randomUUID(), Prompt.any(member.random()));
                member.pause(0, MAX_PAUSE_MILLIS);
            }
        });
    }

    private void start(String runId, Prompt prompt) throws InterruptedException {
        Optional<UUID> task = member.insist("run " + runId, () -> attempt(runId, prompt));
        if (task.isEmpty()) {
            return;
        }
        StartedRun run = new StartedRun(thread, runId, task.get(), prompt);
        started.accept(run);
        if (member.random().nextInt(8) == 0) {
            member.moveOn();
            attempt(runId, prompt)
                    .filter(again -> !again.equals(run.task()))
                    .ifPresent(again -> member.incidents().unexpected(run + " was acknowledged again as " + again));
        }
    }

    private Optional<UUID> attempt(String runId, Prompt prompt) {
        long start = System.nanoTime();
        Optional<UUID> task = member.incidents()
                .attempt(
                        "run " + runId,
                        () -> member.client()
                                .runs()
                                .start(thread, runId, prompt.text())
                                .taskId());
        task.ifPresent(taken -> acknowledgements.add(start));
        return task;
    }
}
