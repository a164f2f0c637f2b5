package dev.parley.threads;

import dev.parley.protocol.ProblemException;
import java.util.Locale;
import java.util.Optional;

/** The messages that the agents of a thread answer. */
public enum ParticipationMode {
    /** Agents answer every message of a person, and messages of agents that mention them. */
    OPEN,
    /** Agents answer only messages that mention them. */
    INVOCATION_ONLY;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ParticipationMode require(String wire) {
        return find(wire)
                .orElseThrow(
                        () -> ProblemException.invalidField("participation_mode", "must be open or invocation_only"));
    }

    static Optional<ParticipationMode> find(String wire) {
        for (ParticipationMode mode : values()) {
            if (mode.wire().equals(wire)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
