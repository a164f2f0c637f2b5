package dev.parley.protocol.agui;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the outcomes of runs and subagents. */
final class OutcomeReader {
    private OutcomeReader() {}

    static @Nullable Outcome outcome(CheckedNode node) {
        if (!node.isPresent() || !node.holdsMembers()) {
            return null;
        }
        CheckedNode type = node.at("type");
        return switch (type.text()) {
            case "success" -> new Outcome.Success(texts(node.at("pendingToolCallIds")));
            case "interrupt" -> {
                CheckedNode interrupts = node.at("interrupts");
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

    static @Nullable SubagentOutcome subagentOutcome(CheckedNode node) {
        if (!node.isPresent() || !node.holdsMembers()) {
            return null;
        }
        CheckedNode type = node.at("type");
        return switch (type.text()) {
            case "success" -> new SubagentOutcome.Success();
            case "suspended" -> new SubagentOutcome.Suspended(texts(node.at("interruptIds")));
            default -> {
                unknown(type, List.of("success", "suspended"));
                yield null;
            }
        };
    }

    private static Optional<Interrupt> interrupt(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new Interrupt(
                node.at("id").text(),
                node.at("reason").text(),
                node.at("message").optionalText(),
                node.at("toolCallId").optionalText(),
                node.at("responseSchema").optionalObject(),
                node.at("expiresAt").optionalText(),
                node.at("metadata").optionalObject(),
                node.at("subagentRunId").optionalText()));
    }

    private static @Nullable List<String> texts(CheckedNode node) {
        return node.optionalList(each -> Optional.of(each.text()));
    }

    /** Notes a fault for an unknown type. A type that is missing or no text already has a fault. */
    private static void unknown(CheckedNode type, List<String> known) {
        if (type.isText()) {
            type.mustBeOneOf(known);
        }
    }
}
