package dev.parley.agents.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.assembly.ContextMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes what a model is shown in the library's words, one by one: what is shown was decided before. */
final class ChatMessages {
    private final Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures;
    private final Map<String, AiMessage> own;

    /**
     * @param own what the model said in this run, by the calls that it made: providers want to see again what they
     *     thought before a call
     */
    ChatMessages(Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures, Map<String, AiMessage> own) {
        this.pictures = pictures;
        this.own = own;
    }

    List<ChatMessage> of(List<ContextMessage> shown) {
        List<ChatMessage> messages = new ArrayList<>();
        for (ContextMessage message : shown) {
            switch (message) {
                case ContextMessage.SystemBlock system -> messages.add(SystemMessage.from(system.text()));
                case ContextMessage.User user ->
                    messages.add(UserMessage.from(
                            user.parts().stream().map(this::content).toList()));
                case ContextMessage.Assistant said -> messages.add(assistant(said));
                case ContextMessage.ToolResult result ->
                    messages.add(ToolExecutionResultMessage.builder()
                            .id(result.callId())
                            .toolName(result.tool())
                            .text(result.text())
                            .isError(result.failed() ? Boolean.TRUE : null)
                            .build());
            }
        }
        return messages;
    }

    private Content content(ContextMessage.Part part) {
        return switch (part) {
            case ContextMessage.Part.Text text -> TextContent.from(text.text());
            case ContextMessage.Part.Picture picture -> picture(picture);
        };
    }

    private Content picture(ContextMessage.Part.Picture picture) {
        Optional<InputStream> found = pictures.apply(picture);
        if (found.isEmpty()) {
            return TextContent.from("(An image that is not there any more.)");
        }
        try (InputStream bytes = found.get()) {
            String data = Base64.getEncoder().encodeToString(bytes.readAllBytes());
            return ImageContent.from(data, picture.mimeType(), ImageContent.DetailLevel.AUTO);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private AiMessage assistant(ContextMessage.Assistant said) {
        AiMessage.Builder made = AiMessage.builder();
        if (!said.text().isEmpty()) {
            made.text(said.text());
        }
        made.toolExecutionRequests(said.calls().stream()
                .map(call -> ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(call.tool())
                        .arguments(call.arguments())
                        .build())
                .toList());
        AiMessage original =
                said.calls().isEmpty() ? null : own.get(said.calls().getFirst().id());
        if (original != null) {
            if (original.thinking() != null) {
                made.thinking(original.thinking());
            }
            made.attributes(original.attributes());
        }
        return made.build();
    }
}
