package dev.parley.bench.rig;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Makes threads over HTTP, some at a time. */
final class ThreadMaker {
    private static final int AT_ONCE = 8;

    private ThreadMaker() {}

    /** @param others who is in a thread besides the one who makes them all */
    static List<ThreadId> make(URI server, Accounts.User maker, int count, IntFunction<List<Accounts.User>> others) {
        try (Parley client = Parley.connect(server, new Token(maker.token()));
                ExecutorService some = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<ThreadId>> made = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                List<String> members = others.apply(i).stream()
                        .map(user -> user.id().toString())
                        .toList();
                NewThread wanted = new NewThread(null, "Measured", members, null, null, null);
                made.add(some.submit(() -> client.createThread(wanted).threadId()));
            }
            List<ThreadId> threads = new ArrayList<>();
            for (Future<ThreadId> each : made) {
                threads.add(each.get());
            }
            return threads;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("The threads of the run could not be made", failed.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while making the threads of the run", e);
        }
    }
}
