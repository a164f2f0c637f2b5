package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * The input of a run.
 *
 * @param protocolVersion the client's version of AG-UI. Clients before 1.0 do not send a version. Such a client fails
 *     if it receives a field that it does not know.
 * @param tools the client's tools; absent means none. An empty list is written, because clients before 1.0 need the
 *     list when the server sends the input back.
 * @param context facts for the agent; an absent or empty list is treated as in {@code tools}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonDeserialize(using = AguiJson.InputDeserializer.class)
public record RunAgentInput(
        String threadId,
        String runId,
        @Nullable String protocolVersion,
        @Nullable String parentRunId,
        @Nullable JsonNode state,
        List<Message> messages,
        List<Tool> tools,
        List<Context> context,
        @Nullable JsonNode forwardedProps,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumeEntry> resume) {
    /** The protocol version of this package. */
    public static final String PROTOCOL_VERSION = "1.0";

    public RunAgentInput {
        state = Absent.ifNull(state);
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        context = List.copyOf(context);
        forwardedProps = Absent.ifNull(forwardedProps);
        resume = List.copyOf(resume);
    }

    /** The same input with other messages. */
    public RunAgentInput withMessages(List<Message> others) {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, state, others, tools, context, forwardedProps, resume);
    }

    /** The same input without a state. */
    public RunAgentInput withoutState() {
        return new RunAgentInput(
                threadId, runId, protocolVersion, parentRunId, null, messages, tools, context, forwardedProps, resume);
    }
}
