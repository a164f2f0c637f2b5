package dev.parley.agents.model;

import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** How much a model is to think before it answers, in the way its provider has it. */
sealed interface Reasoning {
    /** As the provider does it by itself. */
    record AsIs() implements Reasoning {}

    record Effort(String level) implements Reasoning {}

    record Budget(int tokens) implements Reasoning {}

    record On() implements Reasoning {}

    Set<String> LEVELS = Set.of("minimal", "low", "medium", "high");

    /** Anthropic takes no less. */
    int MIN_BUDGET = 1_024;

    int MAX_BUDGET = 128_000;

    /** Reads what is configured; empty if the provider has no such thing. */
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

    /** What a provider takes, to follow a field's name. */
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
