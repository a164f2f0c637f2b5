package dev.parley.agents.tools;

import dev.parley.agents.Turn;
import dev.parley.assembly.OneLine;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.ResumeEntry;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks people whether a tool may be called, and reads their answer. An approval is bound to the run, the call, the tool
 * and the arguments of its question: for anything else that is about to be done it is worth nothing.
 */
public final class ToolApproval {
    public static final String REASON = "tool_approval";

    static final int MAX_ARGUMENTS = 2_000;
    private static final int MAX_REASON = 1_000;
    private static final String TASK = "task";
    private static final String TOOL = "tool";
    private static final String HASH = "arguments_hash";

    private ToolApproval() {}

    /** What became of a question. */
    public sealed interface Decision {
        /** This very call may be made. */
        record Approved() implements Decision {}

        /** It may not. */
        record Declined(@Nullable String reason) implements Decision {}

        /** The answer is about something else, and decides nothing. */
        record Voided(String why) implements Decision {}
    }

    /** The same question for the same call. */
    public static Interrupt ask(UUID taskId, String callId, ServerTool tool, ObjectNode arguments) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("approved").put("type", "boolean");
        properties.putObject("reason").put("type", "string");
        schema.putArray("required").add("approved");
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put(TASK, taskId.toString())
                .put(TOOL, tool.name())
                .put(HASH, hash(arguments));
        return new Interrupt(
                id(taskId, callId), REASON, question(tool, arguments), callId, schema, null, metadata, null);
    }

    /**
     * @param askedBy the run that is known to have asked
     * @param callId the call that is about to be made, with its tool, as the model names it, and its arguments
     */
    public static Decision judge(
            Turn.Answer answer, UUID askedBy, String callId, String toolName, ObjectNode arguments) {
        Interrupt asked = answer.interrupt();
        JsonNode metadata = asked.metadata() == null ? Json.MAPPER.createObjectNode() : asked.metadata();
        if (!REASON.equals(asked.reason())
                || !asked.id().equals(answer.decision().interruptId())) {
            return new Decision.Voided("The answer is not one about a tool.");
        }
        if (!askedBy.toString().equals(metadata.path(TASK).asString(""))) {
            return new Decision.Voided("The answer is about another run.");
        }
        if (!callId.equals(asked.toolCallId())) {
            return new Decision.Voided("The answer is about another call.");
        }
        if (!toolName.equals(metadata.path(TOOL).asString(""))) {
            return new Decision.Voided("The answer is about another tool.");
        }
        if (!hash(arguments).equals(metadata.path(HASH).asString(""))) {
            return new Decision.Voided("The answer is about other arguments.");
        }
        return decision(answer.decision());
    }

    /** Only a plain yes is one. */
    private static Decision decision(ResumeEntry given) {
        JsonNode payload = Objects.requireNonNullElse(given.payload(), Json.MAPPER.createObjectNode());
        JsonNode approved = payload.path("approved");
        if (given.status() == ResumeEntry.Status.RESOLVED && approved.isBoolean() && approved.booleanValue()) {
            return new Decision.Approved();
        }
        String reason = OneLine.of(payload.path("reason").asString(""), MAX_REASON);
        return new Decision.Declined(reason.isEmpty() ? null : reason);
    }

    private static String question(ServerTool tool, ObjectNode arguments) {
        String all = OneLine.escaped(Json.MAPPER.writeValueAsString(arguments));
        boolean fits = all.codePointCount(0, all.length()) <= MAX_ARGUMENTS;
        return "May the tool " + OneLine.of(tool.tool(), ToolCatalogue.MAX_NAME) + " of " + tool.server()
                + " be called with these arguments? "
                + (fits ? all : OneLine.of(all, MAX_ARGUMENTS) + " … (they are longer than can be shown here)");
    }

    /** No secret: it is the answer that counts, and what it is about. */
    private static String id(UUID taskId, String callId) {
        byte[] hash = Sha256.of((taskId + " " + callId).getBytes(StandardCharsets.UTF_8));
        return "approval-" + HexFormat.of().formatHex(hash, 0, 16);
    }

    /** Of the arguments with their members in one order; numbers as they are written. */
    static String hash(ObjectNode arguments) {
        StringBuilder canonical = new StringBuilder();
        canonical(arguments, canonical);
        return HexFormat.of().formatHex(Sha256.of(canonical.toString().getBytes(StandardCharsets.UTF_16BE)));
    }

    private static void canonical(JsonNode node, StringBuilder to) {
        if (node.isObject()) {
            String separator = "{";
            for (String name : node.propertyNames().stream().sorted().toList()) {
                to.append(separator)
                        .append(Json.MAPPER.writeValueAsString(name))
                        .append(':');
                canonical(node.path(name), to);
                separator = ",";
            }
            to.append(node.isEmpty() ? "{}" : "}");
        } else if (node.isArray()) {
            String separator = "[";
            for (JsonNode each : node) {
                to.append(separator);
                canonical(each, to);
                separator = ",";
            }
            to.append(node.isEmpty() ? "[]" : "]");
        } else {
            to.append(Json.MAPPER.writeValueAsString(node));
        }
    }
}
