package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Workers;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Posts to the threads, and counts the acknowledged messages of each thread. */
final class Posting implements AutoCloseable {
    private static final int AT_ONCE = 8;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Parley client;
    private final List<ThreadId> threads;
    private final AtomicLongArray acknowledged;
    private final Workers workers = new Workers();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private volatile boolean stopping;

    /** @param acknowledged the acknowledged messages so far by thread, to which this posting adds */
    Posting(URI server, Accounts.User user, List<ThreadId> threads, AtomicLongArray acknowledged) {
        this.client = user.connect(server);
        this.threads = threads;
        this.acknowledged = acknowledged;
    }

    /** Posts one message to every thread, several messages at the same time. */
    void oneToEach() throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        for (int i = 0; i < AT_ONCE; i++) {
            workers.start("posting", () -> {
                for (int thread = next.getAndIncrement(); thread < threads.size(); thread = next.getAndIncrement()) {
                    post(thread);
                }
            });
        }
        await();
    }

    private void post(int thread) {
        try {
            client.thread(threads.get(thread)).post(NewMessage.text("news of thread " + thread));
            acknowledged.incrementAndGet(thread);
        } catch (RuntimeException failed) {
            failure.compareAndSet(null, failed);
        }
    }

    /** Posts a few messages a second, thread after thread, until {@link #stop}. */
    void keepPosting() {
        workers.start("posting", () -> {
            for (int i = 0; !stopping; i++) {
                post(i % threads.size());
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        });
    }

    /** Stops posting, and returns when the last message is acknowledged. */
    void stop() throws InterruptedException {
        stopping = true;
        await();
    }

    private void await() throws InterruptedException {
        workers.join();
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("A message could not be posted", failed);
        }
    }

    @Override
    public void close() {
        stopping = true;
        client.close();
    }
}
