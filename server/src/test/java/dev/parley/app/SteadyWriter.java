package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.sdk.ThreadClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * Posts messages to a thread, one after the other, until it is stopped or fails for good. Remembers the seq of each
 * acknowledged message.
 */
final class SteadyWriter implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PAGE = 200;

    private final ThreadClient thread;
    private final String name;
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final Thread worker;
    private volatile boolean stopped;

    private SteadyWriter(ThreadClient thread, String name) {
        this.thread = thread;
        this.name = name;
        this.worker = Thread.ofVirtual().name("steady-writer").start(this::write);
    }

    static SteadyWriter start(ThreadClient thread, String name) {
        return new SteadyWriter(thread, name);
    }

    private void write() {
        for (int i = 0; !stopped; i++) {
            String content = name + " " + i;
            try {
                acknowledged.put(
                        content,
                        thread.post(NewMessage.keyed(content, content))
                                .message()
                                .threadSeq());
            } catch (ParleyProblem | ParleyUnreachable failed) {
                return;
            }
        }
    }

    /** Waits until a given number of further messages is acknowledged. */
    void awaitMore(int count) {
        int before = acknowledged.size();
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> acknowledged.size() >= before + count || !worker.isAlive());
        assertThat(acknowledged.size()).as("acknowledged in all").isGreaterThanOrEqualTo(before + count);
    }

    Map<String, Long> stop() {
        stopped = true;
        join();
        return Map.copyOf(acknowledged);
    }

    /** Waits until the writer has failed for good. */
    Map<String, Long> join() {
        try {
            assertThat(worker.join(LIMIT)).as("the writer ended").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Map.copyOf(acknowledged);
    }

    @Override
    public void close() {
        stopped = true;
        worker.interrupt();
    }

    /** Asserts that every acknowledged message is stored once at its seq, and that the log has no gaps. */
    static void assertKept(ThreadClient thread, Map<String, Long> acknowledged) {
        List<Message> all = new ArrayList<>();
        MessagePage page = thread.messagesAfter(0, PAGE);
        all.addAll(page.messages());
        while (page.hasMore()) {
            page = thread.messagesAfter(page.nextAfterSeq(), PAGE);
            all.addAll(page.messages());
        }
        assertThat(all.stream().map(Message::threadSeq).toList())
                .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
        assertThat(all.stream().map(Message::content)).doesNotHaveDuplicates();
        Map<String, Long> found = new ConcurrentHashMap<>();
        all.forEach(message -> found.put(message.content(), message.threadSeq()));
        assertThat(acknowledged).isNotEmpty();
        assertThat(found).containsAllEntriesOf(acknowledged);
    }
}
