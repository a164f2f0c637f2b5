package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** Posts to the threads, and counts what was acknowledged in each. */
final class Posting implements AutoCloseable {
    private static final int AT_ONCE = 8;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Parley client;
    private final List<ThreadId> threads;
    private final AtomicLongArray acknowledged;
    private final ExecutorService some = Executors.newFixedThreadPool(AT_ONCE);
    private Future<?> background = CompletableFuture.completedFuture(null);
    private volatile boolean stopping;

    /** @param acknowledged so far, by thread; counted on */
    Posting(URI server, Accounts.User user, List<ThreadId> threads, AtomicLongArray acknowledged) {
        this.client = Parley.connect(server, new Token(user.token()));
        this.threads = threads;
        this.acknowledged = acknowledged;
    }

    /** One message to every thread, some at a time. */
    void oneToEach() throws InterruptedException {
        List<Future<?>> posts = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            int thread = i;
            posts.add(some.submit(() -> post(thread)));
        }
        await(posts);
    }

    private void post(int thread) {
        client.thread(threads.get(thread)).post(NewMessage.text("news of thread " + thread));
        acknowledged.incrementAndGet(thread);
    }

    /** A few messages a second, thread after thread, until {@link #stop}. */
    void keepPosting() {
        background = some.submit(() -> {
            for (int i = 0; !stopping; i++) {
                post(i % threads.size());
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        });
    }

    /** Returns when the last one is acknowledged. */
    void stop() throws InterruptedException {
        stopping = true;
        await(List.of(background));
    }

    private static void await(List<Future<?>> posts) throws InterruptedException {
        try {
            for (Future<?> post : posts) {
                post.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A message could not be posted", failed.getCause());
        }
    }

    @Override
    public void close() {
        stopping = true;
        some.shutdown();
        client.close();
    }
}
