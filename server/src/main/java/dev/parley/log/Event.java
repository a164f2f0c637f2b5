package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;

/** One item of a thread's event stream. */
public sealed interface Event {
    ThreadId thread();

    long position();

    /** The seq of the entry, or of the last entry before this event. */
    long seq();

    Instant createdAt();

    /** How a reader names the place behind this event: {@code 12} for an entry, {@code 12-457} between entries. */
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
     * Something other than an entry happened.
     *
     * @param actor who did it
     * @param payload a JSON object as text
     * @param command the command that announced it, by which a lost commit answer is looked up
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
        @Override
        public String cursor() {
            return seq + "-" + position;
        }
    }
}
