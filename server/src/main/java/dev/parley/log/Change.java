package dev.parley.log;

import dev.parley.protocol.Actor;
import java.util.List;
import java.util.UUID;

/** One step of a command. */
public sealed interface Change {
    /** The approximate number of bytes that this change takes in a batch. */
    int weight();

    /** Appends an entry. */
    record Append(Draft draft) implements Change {
        @Override
        public int weight() {
            String metadata = draft.content().metadata();
            return 200 + draft.content().text().length() + (metadata == null ? 0 : metadata.length());
        }
    }

    /**
     * Puts an event without an entry into the stream.
     *
     * @param payload a JSON object as text
     */
    record Announce(String type, Actor actor, String payload) implements Change {
        @Override
        public int weight() {
            return 100 + payload.length();
        }
    }

    /**
     * Puts a stretch of a run's own events into the stream.
     *
     * @param events JSON objects as text, without line breaks
     */
    record Emit(UUID run, Actor actor, List<String> events) implements Change {
        public Emit {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("a stretch of no events");
            }
        }

        @Override
        public int weight() {
            return 100 + events.stream().mapToInt(String::length).sum();
        }
    }

    /** Changes a feature's own tables in the transaction of the command. */
    record Apply(Effect effect) implements Change {
        @Override
        public int weight() {
            return effect.weight();
        }
    }
}
