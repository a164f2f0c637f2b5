package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JsonWorkTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final AtomicInteger READING = new AtomicInteger();
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private static final String EMPTY = "{\"text\":\"\"}";

    /** Records the thread that read it. */
    record Note(String text, String reader) {
        Note {
            reader = Thread.currentThread().getName();
        }
    }

    /** A value whose reading takes its time. */
    record Slow(String text) {
        Slow {
            READING.incrementAndGet();
            try {
                RELEASED.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static byte[] json(int bytes) {
        return EMPTY.replace("\"\"", '"' + "x".repeat(bytes - EMPTY.length()) + '"')
                .getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T read(JsonWork work, int bytes, Class<T> type) {
        return work.read(json(bytes), "application/json", type);
    }

    @Test
    void onlyLargeBodiesAreReadOnTheirOwnThreads() {
        try (JsonWork work = new JsonWork()) {
            assertThat(read(work, JsonWork.LARGE, Note.class).reader())
                    .isEqualTo(Thread.currentThread().getName());
            Note large = read(work, JsonWork.LARGE + 1, Note.class);
            assertThat(large.reader()).startsWith("parley-json-");
            assertThat(large.text()).hasSize(JsonWork.LARGE + 1 - EMPTY.length());
        }
    }

    @Test
    void faultOfALargeBodyIsReportedAsUsual() {
        try (JsonWork work = new JsonWork()) {
            byte[] broken = json(JsonWork.LARGE + 1);
            broken[broken.length - 1] = ' ';
            assertThatThrownBy(() -> work.read(broken, "", Note.class))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.INVALID_JSON));
        }
    }

    @Test
    void fewLargeBodiesAreReadAtOnceAndAStopEndsTheWait() throws Exception {
        try (JsonWork work = new JsonWork()) {
            List<Thread> readers = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                readers.add(Thread.ofVirtual().start(() -> {
                    read(work, JsonWork.LARGE + 1, Slow.class);
                    done.incrementAndGet();
                }));
            }
            await().atMost(LONG).until(() -> READING.get() == 2);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> read(work, JsonWork.LARGE + 1, Slow.class))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.SHUTTING_DOWN));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(READING).hasValue(2);
            RELEASED.countDown();
            for (Thread reader : readers) {
                assertThat(reader.join(LONG)).isTrue();
            }
            assertThat(done).hasValue(3);
            assertThat(READING).as("a body whose request has ended is not read").hasValue(3);
        }
    }
}
