package dev.parley.agents.remote;

import dev.parley.agents.Turn;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.ForwardedProps;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the request to a remote agent from a turn: an AG-UI RunAgentInput with the conversation as the server knows it
 * and the input of the run (<a href="https://docs.ag-ui.com/sdk/js/core/types">AG-UI: types</a>).
 */
final class RemoteRequest {
    private final Turn turn;
    private final List<Message> messages = new ArrayList<>();
    private final RemoteRequestBody.Builder body = new RemoteRequestBody.Builder("image-" + UUID.randomUUID() + "-");

    private RemoteRequest(Turn turn) {
        this.turn = turn;
        Map<String, List<ContentPart>> files = new HashMap<>();
        Stream.concat(turn.question().images().stream(), turn.question().documents().stream())
                .forEach(file -> files.computeIfAbsent(file.messageId(), id -> new ArrayList<>())
                        .add(part(file)));
        turn.question()
                .links()
                .forEach(link -> files.computeIfAbsent(link.messageId(), id -> new ArrayList<>())
                        .add(link.part()));
        // Given messages precede the conversation, which must end with the message to be answered.
        messages.addAll(turn.input().given());
        for (Message message : turn.context()) {
            messages.add(outgoing(message, files.getOrDefault(message.id(), List.of())));
        }
    }

    /** A request's body and the messages in it. */
    record Prepared(RemoteRequestBody body, List<Message> messages) {}

    static Prepared of(Turn turn) {
        RemoteRequest request = new RemoteRequest(turn);
        RunAgentInput input = new RunAgentInput(
                turn.thread().toString(),
                turn.name().runId(),
                RunAgentInput.PROTOCOL_VERSION,
                turn.input().sent().parentRunId(),
                turn.state().isNull() ? Json.MAPPER.createObjectNode() : turn.state(),
                request.messages,
                turn.input().sent().tools(),
                turn.input().sent().context(),
                props(turn.input().sent().forwardedProps()),
                request.resume());
        return new Prepared(request.body.build(Json.MAPPER.writeValueAsString(input)), request.messages);
    }

    private Message outgoing(Message message, List<ContentPart> files) {
        if (message instanceof Message.User user && !files.isEmpty()) {
            List<ContentPart> parts = new ArrayList<>();
            if (!user.content().plainText().isEmpty()) {
                parts.add(new ContentPart.Text(user.content().plainText()));
            }
            parts.addAll(files);
            return new Message.User(
                    user.id(),
                    new Content.Parts(parts),
                    user.name(),
                    user.encryptedValue(),
                    user.metadata(),
                    user.subagentRunId());
        }
        if (message instanceof Message.Assistant assistant
                && "".equals(assistant.content())
                && !assistant.toolCalls().isEmpty()) {
            // The message only made calls, and some models refuse an empty text.
            return new Message.Assistant(
                    assistant.id(),
                    null,
                    assistant.name(),
                    assistant.toolCalls(),
                    assistant.encryptedValue(),
                    assistant.metadata(),
                    assistant.subagentRunId());
        }
        return message;
    }

    private ContentPart part(Turn.Image file) {
        ObjectNode metadata =
                file.filename() == null ? null : Json.MAPPER.createObjectNode().put("filename", file.filename());
        return new ContentPart.Media(
                ContentPart.Medium.of(file.mimeType()),
                new ContentPart.InlineSource(body.markerFor(file), file.mimeType()),
                null,
                metadata);
    }

    private static JsonNode props(@Nullable JsonNode given) {
        if (given == null) {
            return Json.MAPPER.createObjectNode();
        }
        if (given instanceof ObjectNode object) {
            return object.deepCopy().remove(ForwardedProps.MEMBERS);
        }
        return given;
    }

    /** The decisions as the client sent them, each with the agent's own id of its interrupt. */
    private List<ResumeEntry> resume() {
        Map<String, Interrupt> questions = turn.input().answers().stream()
                .map(Turn.Answer::interrupt)
                .collect(Collectors.toMap(Interrupt::id, each -> each, (first, second) -> second));
        return turn.input().sent().resume().stream()
                .map(entry -> {
                    Interrupt interrupt = questions.get(entry.interruptId());
                    String id = interrupt == null ? null : RemoteIds.originalOf(interrupt);
                    return new ResumeEntry(
                            Objects.requireNonNullElse(id, entry.interruptId()),
                            entry.status(),
                            entry.payload(),
                            entry.metadata());
                })
                .toList();
    }
}
