package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compacted runs take few rows, and a reader at any position inside them reads on without a gap or a repetition. */
class CompactionTest extends LaneFixture {
    private static final UUID RUN = RandomRuns.FIRST;
    private static final Actor AGENT = Actor.agent(new UUID(0, 3));
    private static final int HISTORIES = 8;
    private static final int COMMANDS = 25;

    private void commit(List<Command> commands) {
        try (Lane lane = lane(this::plain)) {
            commands.stream().map(command -> offer(lane, command)).toList().forEach(Attempt::await);
        }
    }

    private void compact(Compaction compaction, ThreadId thread, UUID run) {
        long to = reader.lastPosition(thread);
        for (long from = 1; from <= to; ) {
            from = compaction.compact(thread, run, from, to) + 1;
        }
    }

    /** All events after a position, page by page. */
    private List<Event> after(ThreadId thread, long position, Random random) {
        List<Event> all = new ArrayList<>();
        long at = position;
        while (true) {
            List<Event> page = reader.eventsAfter(thread, at, 1 + random.nextInt(40), 1 + random.nextInt(20_000));
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            at = page.getLast().position();
        }
    }

    /** The state of a reader who followed live up to a position and reads the rest now. */
    private String reading(ThreadId thread, List<Event> live, long seen, Random random) {
        RunReading reading = new RunReading();
        for (Event event : live) {
            if (event instanceof Event.Emitted emitted) {
                emitted.lines().stream().filter(line -> line.position() <= seen).forEach(reading::take);
            } else if (event.position() <= seen) {
                reading.take(event);
            }
        }
        assertThat(reading.position()).isEqualTo(seen);
        return reading.takeAll(after(thread, seen, random)).toString();
    }

    private List<Map<String, Object>> rows(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
                        select position, seq, type, actor, payload, created_at, command_id, run, covers
                        from events where thread_id = :thread order by position""")
                .bind("thread", thread.value())
                .mapToMap()
                .list());
    }

    private static long bytes(List<Map<String, Object>> rows) {
        return rows.stream()
                .mapToLong(row -> String.valueOf(row.get("payload")).length()
                        + String.valueOf(row.get("covers")).length())
                .sum();
    }

    /** The number of stretches of one run without another event between. */
    private static long stretches(List<Event> events, UUID run) {
        long stretches = 0;
        boolean inside = false;
        for (Event event : events) {
            boolean own =
                    event instanceof Event.Emitted emitted && emitted.run().equals(run);
            stretches += own && !inside ? 1 : 0;
            inside = own;
        }
        return stretches;
    }

    private List<Long> seqs(ThreadId thread, long last) {
        return LongStream.rangeClosed(0, last)
                .map(position -> reader.seqAt(thread, position))
                .boxed()
                .toList();
    }

    @Test
    void readersAtAnyPositionReadTheSameAfterwards() {
        for (int seed = 1; seed <= HISTORIES; seed++) {
            Random random = new Random(seed);
            ThreadId thread = newThread();
            commit(new RandomRuns(seed).commands(thread, COMMANDS));
            List<Event> live = reader.eventsAfter(thread, 0, 10_000, Long.MAX_VALUE);
            String whole = new RunReading().takeAll(live).toString();
            long last = reader.lastPosition(thread);
            List<Long> seqs = seqs(thread, last);
            List<Map<String, Object>> before = rows(thread);

            compact(new Compaction(database), thread, RUN);

            for (long seen = 0; seen <= last; seen++) {
                assertThat(reading(thread, live, seen, random))
                        .as("seed %d, after %d", seed, seen)
                        .isEqualTo(whole);
            }
            assertThat(seqs(thread, last)).isEqualTo(seqs);
            List<Map<String, Object>> after = rows(thread);
            assertThat(after.stream().filter(row -> RUN.equals(row.get("run"))))
                    .as("seed %d, rows", seed)
                    .hasSize(Math.toIntExact(stretches(live, RUN)));
            assertThat(after.stream().filter(row -> !RUN.equals(row.get("run"))))
                    .isEqualTo(before.stream()
                            .filter(row -> !RUN.equals(row.get("run")))
                            .toList());
            assertThat(bytes(after)).isLessThan(bytes(before));

            compact(new Compaction(database), thread, RUN);
            compact(new Compaction(database, 3, 200), thread, RUN);
            assertThat(rows(thread)).as("a second compaction changes nothing").isEqualTo(after);
        }
    }

    @Test
    void readersReadTheSameAfterEachPiece() {
        for (int seed = 100; seed < 104; seed++) {
            Random random = new Random(seed);
            ThreadId thread = newThread();
            commit(new RandomRuns(seed).commands(thread, COMMANDS));
            List<Event> live = reader.eventsAfter(thread, 0, 10_000, Long.MAX_VALUE);
            String whole = new RunReading().takeAll(live).toString();
            long last = reader.lastPosition(thread);
            Compaction compaction = new Compaction(database, 1 + random.nextInt(9), 100 + random.nextInt(3_000));
            for (long from = 1; from <= last; ) {
                long done = compaction.compact(thread, RUN, from, last);
                assertThat(done).isBetween(from, last);
                from = done + 1;
                for (int i = 0; i < 5; i++) {
                    long seen = random.nextLong(last + 1);
                    assertThat(reading(thread, live, seen, random))
                            .as("seed %d, done to %d, after %d", seed, done, seen)
                            .isEqualTo(whole);
                }
            }
        }
    }

    private ThreadId tokens(int rows, int perRow) {
        ThreadId thread = newThread();
        List<Command> commands = IntStream.range(0, rows)
                .mapToObj(row -> emitting(
                        thread,
                        IntStream.range(0, perRow)
                                .mapToObj(i -> " word" + (row * perRow + i))
                                .toList()))
                .toList();
        commit(commands);
        return thread;
    }

    private static Command emitting(ThreadId thread, List<String> deltas) {
        Change emit = new Change.Emit(
                RUN, AGENT, deltas.stream().map(CompactionTest::token).toList());
        return new Command(UuidV7.next(), thread, AGENT, List.of(emit));
    }

    private static String token(String text) {
        return "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":"
                + Json.MAPPER.writeValueAsString(text) + ",\"metadata\":{\"runId\":\"" + RUN + "\"}}";
    }

    @Test
    void aLongAnswerBecomesAFewRowsOfBoundedSize() {
        ThreadId thread = tokens(1_000, 20);
        List<Map<String, Object>> before = rows(thread);
        compact(new Compaction(database), thread, RUN);
        List<Map<String, Object>> after = rows(thread);
        assertThat(after).hasSizeBetween(3, 6);
        assertThat(after).allSatisfy(row -> {
            assertThat((String) row.get("payload")).hasSizeLessThanOrEqualTo(64 * 1024);
            assertThat((String) row.get("covers")).hasSizeLessThanOrEqualTo(64 * 1024);
        });
        assertThat(bytes(after)).isLessThan(bytes(before) / 8);
        assertThat(after.getLast())
                .extracting("seq", "created_at", "command_id", "actor")
                .isEqualTo(List.of(
                        before.getLast().get("seq"),
                        before.getLast().get("created_at"),
                        before.getLast().get("command_id"),
                        before.getLast().get("actor")));
    }

    @Test
    void readersAndOtherCompactionsMayComeAtAnyTime() throws Exception {
        ThreadId thread = tokens(400, 5);
        String whole = new RunReading().takeAll(after(thread, 0, new Random(1))).toString();
        long last = reader.lastPosition(thread);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> compactions = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                Compaction compaction = new Compaction(database, 7 * i, 1_000L * i);
                int first = 3 * i;
                compactions.add(others.submit(() -> {
                    for (long from = first; from <= last; ) {
                        from = compaction.compact(thread, RUN, from, last) + 1;
                    }
                }));
            }
            int seed = 0;
            do {
                assertThat(new RunReading().takeAll(after(thread, 0, new Random(seed++))))
                        .hasToString(whole);
            } while (!compactions.stream().allMatch(Future::isDone));
            for (Future<?> compaction : compactions) {
                compaction.get();
            }
        }
        assertThat(new RunReading().takeAll(after(thread, 0, new Random(0)))).hasToString(whole);
        assertThat(rows(thread)).hasSizeLessThan(100);
    }

    @Test
    void aReaderInsideGetsTheRestAsOneDelta() {
        ThreadId thread = newThread();
        List<String> parts = List.of("中", "👋", "e\u0301", "", "!");
        commit(List.of(emitting(thread, parts)));
        compact(new Compaction(database), thread, RUN);
        for (int seen = 0; seen < 5; seen++) {
            Event.Emitted rest =
                    (Event.Emitted) reader.eventsAfter(thread, seen, 10, 10_000).getFirst();
            assertThat(rest.lines()).hasSize(1);
            assertThat(rest.lines().getFirst().json()).isEqualTo(token(String.join("", parts.subList(seen, 5))));
            assertThat(rest.from()).isEqualTo(seen + 1);
            assertThat(rest.lines().getFirst().position()).isEqualTo(5);
            assertThat(rest)
                    .isEqualTo(reader.eventsAfter(thread, seen, 10, 10_000).getFirst());
        }
        assertThat(reader.eventsAfter(thread, 5, 10, 10_000)).isEmpty();
    }
}
