package dev.parley.protocol.agui;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the outcomes of runs and subagents. */
final class OutcomeReader {
    private OutcomeReader() {}

    static @Nullable Outcome outcome(Place place) {
        if (!place.isPresent() || !place.holdsMembers()) {
            return null;
        }
        Place type = place.at("type");
        return switch (type.text()) {
            case "success" -> new Outcome.Success(texts(place.at("pendingToolCallIds")));
            case "interrupt" -> {
                Place interrupts = place.at("interrupts");
                List<Interrupt> read = interrupts.list(OutcomeReader::interrupt);
                if (interrupts.isEmptyList()) {
                    interrupts.fault("must not be empty");
                }
                yield new Outcome.Interrupted(read);
            }
            case "cancelled" -> new Outcome.Cancelled();
            default -> {
                unknown(type, List.of("success", "interrupt", "cancelled"));
                yield null;
            }
        };
    }

    static @Nullable SubagentOutcome subagentOutcome(Place place) {
        if (!place.isPresent() || !place.holdsMembers()) {
            return null;
        }
        Place type = place.at("type");
        return switch (type.text()) {
            case "success" -> new SubagentOutcome.Success();
            case "suspended" -> new SubagentOutcome.Suspended(texts(place.at("interruptIds")));
            default -> {
                unknown(type, List.of("success", "suspended"));
                yield null;
            }
        };
    }

    private static Optional<Interrupt> interrupt(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new Interrupt(
                place.at("id").text(),
                place.at("reason").text(),
                place.at("message").optionalText(),
                place.at("toolCallId").optionalText(),
                place.at("responseSchema").optionalObject(),
                place.at("expiresAt").optionalText(),
                place.at("metadata").optionalObject(),
                place.at("subagentRunId").optionalText()));
    }

    private static @Nullable List<String> texts(Place place) {
        return place.optionalList(each -> Optional.of(each.text()));
    }

    /** A type that is missing or no text has already been noted as a fault. */
    private static void unknown(Place type, List<String> known) {
        if (type.isText()) {
            type.mustBeOneOf(known);
        }
    }
}
