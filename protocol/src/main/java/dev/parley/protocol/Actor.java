package dev.parley.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.UUID;

/**
 * A sender id: {@code user:{uuid}}, {@code agent:{uuid}}, {@code system:parley}, or
 * {@code <source prefix>:<external id>}.
 */
public record Actor(@JsonValue String value) {
    private static final int MAX_LENGTH = 256;

    public static final Actor SYSTEM = new Actor("system:parley");

    @JsonCreator
    public Actor {}

    public static Actor user(UUID id) {
        return new Actor("user:" + id);
    }

    public static Actor agent(UUID id) {
        return new Actor("agent:" + id);
    }

    /**
     * Reads a sender id: a prefix, a colon and a name, without control characters. The name of a user or an agent must
     * be a canonical UUID. Empty for any other text.
     */
    public static Optional<Actor> parse(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0
                || colon == text.length() - 1
                || text.length() > MAX_LENGTH
                || text.chars().anyMatch(Character::isISOControl)) {
            return Optional.empty();
        }
        return switch (text.substring(0, colon)) {
            case "user", "agent" ->
                UuidV7.parseCanonical(text.substring(colon + 1))
                        .map(id -> new Actor(text.substring(0, colon + 1) + id));
            case "system" -> text.equals(SYSTEM.value) ? Optional.of(SYSTEM) : Optional.empty();
            default -> Optional.of(new Actor(text));
        };
    }

    public Kind kind() {
        return switch (value.substring(0, value.indexOf(':'))) {
            case "user" -> Kind.USER;
            case "agent" -> Kind.AGENT;
            case "system" -> Kind.SYSTEM;
            default -> Kind.EXTERNAL;
        };
    }

    @Override
    public String toString() {
        return value;
    }

    /** The kind of sender that an actor names. */
    public enum Kind {
        USER,
        AGENT,
        SYSTEM,
        EXTERNAL
    }
}
