package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** One item of a thread's event stream. */
public sealed interface Event {
    ThreadId thread();

    long position();

    /** The first of the positions that the event covers; only events of runs cover more than one. */
    default long from() {
        return position();
    }

    /** The seq of the entry, or of the last entry before this event. */
    long seq();

    Instant createdAt();

    /** The reader's cursor after this event: {@code 12} for an entry, {@code 12-457} between entries. */
    String cursor();

    /** An entry was committed. */
    record Committed(Entry entry) implements Event {
        @Override
        public ThreadId thread() {
            return entry.thread();
        }

        @Override
        public long position() {
            return entry.position();
        }

        @Override
        public long seq() {
            return entry.seq();
        }

        @Override
        public Instant createdAt() {
            return entry.createdAt();
        }

        @Override
        public String cursor() {
            return Long.toString(entry.seq());
        }
    }

    /**
     * An event other than an entry or a run's own event.
     *
     * @param actor the actor who caused the event
     * @param payload a JSON object as text
     * @param command the command that announced the event; the event is found by its command if the answer to a commit
     *     is lost
     */
    record Announced(
            ThreadId thread,
            long position,
            long seq,
            Instant createdAt,
            String type,
            Actor actor,
            String payload,
            UUID command)
            implements Event {
        /** Announces that the content of some entries is erased; readers must delete their copies. */
        public static final String ERASED = "messages_erased";

        @Override
        public String cursor() {
            return seq + "-" + position;
        }
    }

    /**
     * A stretch of a run's own events.
     *
     * @param run the run that emitted the events
     * @param lines the events in order; a line covers one position, or several if the run is over and was compacted
     * @param command the command that emitted the events; the events are found by their command if the answer to a
     *     commit is lost
     */
    record Emitted(ThreadId thread, long seq, Instant createdAt, Actor actor, UUID run, List<Line> lines, UUID command)
            implements Event {
        public Emitted {
            lines = List.copyOf(lines);
            if (lines.isEmpty()) {
                throw new IllegalArgumentException("a stretch of no events");
            }
        }

        @Override
        public long position() {
            return lines.getLast().position();
        }

        @Override
        public long from() {
            return lines.getFirst().from();
        }

        @Override
        public String cursor() {
            return seq + "-" + position();
        }

        /** The part of this stretch after a position, which may lie inside the stretch. */
        Emitted after(long seen) {
            return seen < from()
                    ? this
                    : new Emitted(
                            thread,
                            seq,
                            createdAt,
                            actor,
                            run,
                            lines.stream()
                                    .filter(line -> line.position() > seen)
                                    .map(line -> line.after(seen))
                                    .toList(),
                            command);
        }
    }
}
