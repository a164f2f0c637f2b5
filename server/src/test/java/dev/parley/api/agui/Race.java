package dev.parley.api.agui;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Calls that are made at the same moment. */
final class Race {
    private static final int MAX_SECONDS = 60;

    private Race() {}

    /** The outcomes of the calls. */
    static <T> List<T> of(int count, IntFunction<T> call) {
        CountDownLatch ready = new CountDownLatch(count);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> started = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                started.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return call.apply(number);
                }));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> each : started) {
                all.add(each.get(MAX_SECONDS, TimeUnit.SECONDS));
            }
            return all;
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
