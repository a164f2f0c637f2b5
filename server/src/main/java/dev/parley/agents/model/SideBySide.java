package dev.parley.agents.model;

import dev.parley.agents.tools.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the calls of one response side by side, some at a time, and tells of each in order. */
final class SideBySide {
    private static final Logger LOG = LoggerFactory.getLogger(SideBySide.class);

    /** At once. */
    static final int MAX_PARALLEL = 8;

    private SideBySide() {}

    /** A call, and how it is carried out. */
    record Job(ModelResponse.Call call, Callable<ToolOutcome> work) {}

    /** Is told what came of a call. */
    interface Told {
        void of(ModelResponse.Call call, ToolOutcome outcome) throws InterruptedException;
    }

    /** Whoever is interrupted interrupts them all. */
    static void run(List<Job> jobs, Told told) throws InterruptedException {
        Semaphore room = new Semaphore(MAX_PARALLEL);
        List<FutureTask<ToolOutcome>> tasks = new ArrayList<>();
        try {
            for (Job job : jobs) {
                FutureTask<ToolOutcome> task = new FutureTask<>(() -> {
                    room.acquire();
                    try {
                        return job.work().call();
                    } finally {
                        room.release();
                    }
                });
                tasks.add(task);
                Thread.ofVirtual().name("parley-tool-call").start(task);
            }
            for (int i = 0; i < jobs.size(); i++) {
                told.of(jobs.get(i).call(), outcome(tasks.get(i)));
            }
        } finally {
            tasks.forEach(task -> task.cancel(true));
        }
    }

    private static ToolOutcome outcome(FutureTask<ToolOutcome> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            LOG.error("A tool could not be called", failed.getCause());
            return new ToolOutcome("The tool could not be called.", true);
        }
    }
}
