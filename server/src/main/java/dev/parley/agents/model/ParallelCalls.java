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

/** Runs the calls of one response in parallel, a limited number at a time, and reports their outcomes in order. */
final class ParallelCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ParallelCalls.class);

    /** Limit of the calls at a time. */
    static final int MAX_PARALLEL = 8;

    private ParallelCalls() {}

    /** A call and its execution. */
    record Job(ModelResponse.Call call, Callable<ToolOutcome> work) {}

    /** Receiver of the outcomes, in the order of the calls. */
    interface OutcomeListener {
        void onOutcome(ModelResponse.Call call, ToolOutcome outcome) throws InterruptedException;
    }

    /** Runs all calls. An interrupt of the caller interrupts the calls. */
    static void run(List<Job> jobs, OutcomeListener listener) throws InterruptedException {
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
                listener.onOutcome(jobs.get(i).call(), outcome(tasks.get(i)));
            }
        } finally {
            tasks.forEach(task -> task.cancel(true));
        }
    }

    private static ToolOutcome outcome(FutureTask<ToolOutcome> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            LOG.error("Tool call failed; the model receives an error as its result", failed.getCause());
            return new ToolOutcome("The tool could not be called.", true);
        }
    }
}
