package dev.parley.api.chat;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.ThreadClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/** A thread that is so large that the stream of a client that does not read gets stuck. */
final class BulkyThread {
    /** Together more than a stream's queue and both socket buffers hold: loopback's alone hides megabytes. */
    static final int MORE_THAN_FITS = 350;
    /** The minimum length of each message. */
    static final int BYTES = 21_000;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private BulkyThread() {}

    static void post(ThreadClient thread, int messages) throws Exception {
        ObjectNode metadata = Json.MAPPER.createObjectNode().put("bulk", "x".repeat(16_000));
        List<Future<?>> posts = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < messages; i++) {
                posts.add(threads.submit(
                        () -> thread.post(new NewMessage("x".repeat(5_000), null, null, metadata, null))));
            }
            for (Future<?> post : posts) {
                post.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }
}
