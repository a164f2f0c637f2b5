package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.Frames;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of a thread from which run events have expired. */
class TailTest {
    private final ThreadId thread = ThreadId.fresh();
    private TestDatabase scratch;
    private Database database;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 2);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    private void announced(long position) {
        database.transact(handle -> handle.execute("""
                insert into events (thread_id, position, seq, type, actor, payload, created_at, command_id)
                values (?, ?, 0, 'typing', 'user:x', '{}', now(), gen_random_uuid())""", thread.value(), position));
    }

    private Tail tail(long start) {
        return new Tail(
                thread,
                new LogReader(database),
                event -> Frames.event(null, null, Long.toString(event.position())),
                new Ring(start, new RingBudget(10_000, 10_000)));
    }

    @Test
    void aReaderBeforeExpiredEventsReachesTheRing() {
        announced(3);
        Tail tail = tail(9);
        List<Tail.Parcel> page = tail.page(1);
        assertThat(page).extracting(Tail.Parcel::to).containsExactly(3L);
        page = tail.page(3);
        assertThat(page).extracting(Tail.Parcel::to).as("4 to 9 are gone").containsExactly(9L);
        assertThat(page.getFirst().frames().size()).isZero();
        assertThat(tail.page(9)).isEmpty();
        assertThat(tail.ring().after(9)).isPresent();
    }

    @Test
    void expiredEventsInTheMiddleAreSkipped() {
        announced(3);
        announced(12);
        Tail tail = tail(4);
        tail.woken(12, List.of());
        assertThat(tail.ring().filledTo()).isEqualTo(12);
        for (long seen = 4; seen < 12; seen++) {
            assertThat(tail.ring().after(seen).orElseThrow().frames().toString())
                    .contains("12");
        }
        assertThat(tail.page(5)).extracting(Tail.Parcel::to).containsExactly(12L);
    }
}
