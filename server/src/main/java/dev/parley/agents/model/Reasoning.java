package dev.parley.agents.model;

import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The amount of reasoning before an answer, in the provider's unit. */
sealed interface Reasoning {
    /** The provider's default. */
    record AsIs() implements Reasoning {}

    record Effort(String level) implements Reasoning {}

    record Budget(int tokens) implements Reasoning {}

    record On() implements Reasoning {}

    Set<String> LEVELS = Set.of("minimal", "low", "medium", "high");

    /** Anthropic's minimum. */
    int MIN_BUDGET = 1_024;

    int MAX_BUDGET = 128_000;

    /** Reads the configured value; empty if the provider does not accept it. */
    static Optional<Reasoning> read(JsonNode given, Provider provider) {
        if (given.isMissingNode() || given.isNull() || given.isBoolean() && !given.booleanValue()) {
            return Optional.of(new AsIs());
        }
        boolean level = given.isString() && LEVELS.contains(given.stringValue());
        boolean budget = given.isIntegralNumber()
                && given.canConvertToInt()
                && given.intValue() >= MIN_BUDGET
                && given.intValue() <= MAX_BUDGET;
        return switch (provider) {
            case OPENAI -> level ? Optional.of(new Effort(given.stringValue())) : Optional.empty();
            case ANTHROPIC -> budget ? Optional.of(new Budget(given.intValue())) : Optional.empty();
            case GEMINI ->
                level
                        ? Optional.of(new Effort(given.stringValue()))
                        : budget ? Optional.of(new Budget(given.intValue())) : Optional.empty();
            case OLLAMA -> given.isBoolean() && given.booleanValue() ? Optional.of(new On()) : Optional.empty();
        };
    }

    /** The provider's rule for the field, as an error message without the field's name. */
    static String rule(Provider provider) {
        String level = "one of minimal, low, medium and high";
        String budget = "a number of tokens from " + MIN_BUDGET + " to " + MAX_BUDGET;
        return switch (provider) {
            case OPENAI -> "must be " + level;
            case ANTHROPIC -> "must be " + budget;
            case GEMINI -> "must be " + level + ", or " + budget;
            case OLLAMA -> "must be true or false";
        };
    }
}
