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
 * Asks people for the approval of a tool call, and reads their decision. An approval is bound to the run, the call, the
 * tool and the arguments of its question, and is void for any other call.
 */
public final class ToolApproval {
    public static final String REASON = "tool_approval";

    static final int MAX_ARGUMENTS = 2_000;
    private static final int MAX_REASON = 1_000;
    private static final String TASK = "task";
    private static final String TOOL = "tool";
    private static final String HASH = "arguments_hash";

    private ToolApproval() {}

    /** The decision about one call. */
    public sealed interface Decision {
        /** The call may be made. */
        record Approved() implements Decision {}

        /** The call may not be made. */
        record Declined(@Nullable String reason) implements Decision {}

        /** The answer belongs to another question, and decides nothing. */
        record Voided(String reason) implements Decision {}
    }

    /** The question for a call; equal calls get equal questions. */
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
     * The decision that an answer contains for one call.
     *
     * @param askedBy the run that asked, from the server's own records
     * @param callId the call to make
     * @param toolName the model's name for the tool of the call
     */
    public static Decision judge(
            Turn.Answer answer, UUID askedBy, String callId, String toolName, ObjectNode arguments) {
        Interrupt interrupt = answer.interrupt();
        JsonNode metadata = interrupt.metadata() == null ? Json.MAPPER.createObjectNode() : interrupt.metadata();
        if (!REASON.equals(interrupt.reason())
                || !interrupt.id().equals(answer.decision().interruptId())) {
            return new Decision.Voided("The answer is not one about a tool.");
        }
        if (!askedBy.toString().equals(metadata.path(TASK).asString(""))) {
            return new Decision.Voided("The answer is about another run.");
        }
        if (!callId.equals(interrupt.toolCallId())) {
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

    /** Only {@code approved: true} approves the call; any other answer declines the call. */
    private static Decision decision(ResumeEntry entry) {
        JsonNode payload = Objects.requireNonNullElse(entry.payload(), Json.MAPPER.createObjectNode());
        JsonNode approved = payload.path("approved");
        if (entry.status() == ResumeEntry.Status.RESOLVED && approved.isBoolean() && approved.booleanValue()) {
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

    /**
     * The interrupt's id, derived from the call. The id need not be secret, because the decision is checked against the
     * call.
     */
    private static String id(UUID taskId, String callId) {
        byte[] hash = Sha256.of((taskId + " " + callId).getBytes(StandardCharsets.UTF_8));
        return "approval-" + HexFormat.of().formatHex(hash, 0, 16);
    }

    /** The hash of the arguments, with fields sorted by name; numbers keep their digits. */
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
