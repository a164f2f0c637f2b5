package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The events of runs: several in one row, each with a position of its own. */
class EmittedTest extends LaneFixture {
    private static final Actor AGENT = Actor.agent(UUID.randomUUID());
    private static final UUID RUN = UUID.randomUUID();
    private static final List<String> EVENTS = List.of("{\"a\":\"é 中 👋\"}", "{\"b\":\"\\n\"}", "{\"c\":3}");

    private static Command emitting(ThreadId thread) {
        return new Command(
                UuidV7.next(),
                thread,
                AGENT,
                List.of(
                        new Change.Emit(RUN, AGENT, EVENTS),
                        new Change.Announce("run_updated", AGENT, "{}"),
                        new Change.Emit(RUN, AGENT, List.of("{\"d\":4}"))));
    }

    @Test
    void readersAtAnyPositionGetExactlyTheRest() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            append(lane, emitting(thread));
            append(lane, Command.append(thread, draft("said", null)));
        }
        assertThat(reader.lastPosition(thread)).isEqualTo(6);
        List<String> all = List.of(EVENTS.get(0), EVENTS.get(1), EVENTS.get(2), "run_updated", "{\"d\":4}", "said");
        for (int seen = 0; seen <= 6; seen++) {
            List<String> rest = new ArrayList<>();
            long next = seen + 1L;
            for (Event event : reader.eventsAfter(thread, seen, 100, 1_000_000)) {
                assertThat(event.from()).isEqualTo(next);
                next = event.position() + 1;
                switch (event) {
                    case Event.Committed committed ->
                        rest.add(committed.entry().content().text());
                    case Event.Announced announced -> rest.add(announced.type());
                    case Event.Emitted emitted -> {
                        assertThat(emitted.run()).isEqualTo(RUN);
                        for (Line line : emitted.lines()) {
                            rest.add(line.json());
                            assertThat(line.position()).isEqualTo(seen + rest.size());
                        }
                    }
                }
            }
            assertThat(rest).as("after " + seen).isEqualTo(all.subList(seen, 6));
        }
    }

    @Test
    void conversationIsReadWithoutEventsOfRuns() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            append(lane, emitting(thread));
            append(lane, Command.append(thread, draft("said", null)));
        }
        assertThat(conversationAfter(thread, 0, 100))
                .extracting(Event::position)
                .containsExactly(4L, 6L);
        assertThat(conversationAfter(thread, 4, 100)).extracting(Event::cursor).containsExactly("1");
    }

    @Test
    void aStretchWhoseCommitAnswerIsLostIsFoundAgain() {
        ThreadId thread = newThread();
        Command command = emitting(thread);
        try (Lane lane = lane(dyingOnce(Death.AFTER_COMMIT))) {
            assertThat(append(lane, command).events()).hasSize(3);
        }
        assertThat(reader.eventsAfter(thread, 0, 100, 1_000_000)).hasSize(3);
        assertThat(reader.lastPosition(thread)).isEqualTo(5);
    }
}
