package dev.parley.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.UUID;

/** The id of a thread. */
public record ThreadId(@JsonValue UUID value) {
    @JsonCreator
    public ThreadId {}

    public static ThreadId fresh() {
        return new ThreadId(UuidV7.next());
    }

    /** Reads the canonical 36-character form only; {@link UUID#fromString} would also accept `1-1-1-1-1`. */
    public static Optional<ThreadId> parse(String text) {
        return UuidV7.parseCanonical(text).map(ThreadId::new);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
