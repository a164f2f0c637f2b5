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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Maps the assembled context of a request to the library's messages, one by one. */
final class ChatMessages {
    /**
     * Limit of image bytes in one request. As base64 and together with the text, the images stay below the smallest
     * limit of the providers.
     */
    static final int MAX_IMAGE_BYTES = 18_000_000;

    private final Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures;
    private final Map<String, AiMessage> originals;
    private final int maxImageBytes;

    /**
     * @param originals the model's messages in this run, by the ids of their calls; a provider requires the reasoning
     *     that preceded a call
     * @param maxImageBytes limit of all images together; the newest images are sent
     */
    ChatMessages(
            Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures,
            Map<String, AiMessage> originals,
            int maxImageBytes) {
        this.pictures = pictures;
        this.originals = originals;
        this.maxImageBytes = maxImageBytes;
    }

    /** True if the model's last message has calls but lacks their reasoning. Earlier messages need no reasoning. */
    static boolean lastCallsLackReasoning(List<ChatMessage> messages) {
        for (ChatMessage message : messages.reversed()) {
            if (message instanceof AiMessage assistant) {
                // Reasoning that the provider hides is found only in the attributes.
                return assistant.hasToolExecutionRequests()
                        && assistant.thinking() == null
                        && assistant.attributes().isEmpty();
            }
        }
        return false;
    }

    List<ChatMessage> of(List<ContextMessage> context) {
        List<ChatMessage> messages = new ArrayList<>();
        Deque<Content> contents = pictures(context);
        for (ContextMessage message : context) {
            switch (message) {
                case ContextMessage.SystemBlock system -> messages.add(SystemMessage.from(system.text()));
                case ContextMessage.User user ->
                    messages.add(UserMessage.from(user.parts().stream()
                            .map(part -> content(part, contents))
                            .toList()));
                case ContextMessage.Assistant assistant -> messages.add(assistant(assistant));
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

    private static Content content(ContextMessage.Part part, Deque<Content> contents) {
        return switch (part) {
            case ContextMessage.Part.Text text -> TextContent.from(text.text());
            case ContextMessage.Part.Picture _ -> contents.pop();
        };
    }

    /** All images in their order. The newest images are read first, until the limit is reached. */
    private Deque<Content> pictures(List<ContextMessage> context) {
        Deque<Content> contents = new ArrayDeque<>();
        int room = maxImageBytes;
        for (ContextMessage message : context.reversed()) {
            if (message instanceof ContextMessage.User user) {
                for (ContextMessage.Part part : user.parts().reversed()) {
                    if (part instanceof ContextMessage.Part.Picture picture) {
                        room -= picture(picture, room, contents);
                    }
                }
            }
        }
        return contents;
    }

    /** Adds one image, or a note in place of the image. Returns the number of image bytes. */
    private int picture(ContextMessage.Part.Picture picture, int room, Deque<Content> contents) {
        Optional<InputStream> image = pictures.apply(picture);
        if (image.isEmpty()) {
            contents.push(TextContent.from("(An image that no longer exists.)"));
            return 0;
        }
        try (InputStream stored = image.get()) {
            byte[] bytes = stored.readNBytes(room + 1);
            if (bytes.length > room) {
                contents.push(TextContent.from("(An image that is too large to be shown along with the others.)"));
                return 0;
            }
            String data = Base64.getEncoder().encodeToString(bytes);
            contents.push(ImageContent.from(data, picture.mimeType(), ImageContent.DetailLevel.AUTO));
            return bytes.length;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private AiMessage assistant(ContextMessage.Assistant assistant) {
        AiMessage.Builder builder = AiMessage.builder();
        if (!assistant.text().isEmpty()) {
            builder.text(assistant.text());
        }
        builder.toolExecutionRequests(assistant.calls().stream()
                .map(call -> ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(call.tool())
                        .arguments(call.arguments())
                        .build())
                .toList());
        AiMessage original = assistant.calls().isEmpty()
                ? null
                : originals.get(assistant.calls().getFirst().id());
        if (original != null) {
            if (original.thinking() != null) {
                builder.thinking(original.thinking());
            }
            builder.attributes(original.attributes());
        }
        return builder.build();
    }
}
