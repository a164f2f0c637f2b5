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

/** Writes what a model is shown in the library's words, one by one: what is shown was decided before. */
final class ChatMessages {
    /** In one request: as base64 and with all else, the least that a provider takes is not reached. */
    static final int MAX_IMAGE_BYTES = 18_000_000;

    private final Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures;
    private final Map<String, AiMessage> own;
    private final int maxImageBytes;

    /**
     * @param own what the model said in this run, by the calls that it made: providers want to see again what they
     *     thought before a call
     * @param maxImageBytes of all images together; the newest are shown
     */
    ChatMessages(
            Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures,
            Map<String, AiMessage> own,
            int maxImageBytes) {
        this.pictures = pictures;
        this.own = own;
        this.maxImageBytes = maxImageBytes;
    }

    /** Whether the last answer is calls without the thoughts behind them; what lies further back need not have any. */
    static boolean lastCallsAreBare(List<ChatMessage> messages) {
        for (ChatMessage message : messages.reversed()) {
            if (message instanceof AiMessage said) {
                // Thoughts that the provider hides are among the attributes alone.
                return said.hasToolExecutionRequests()
                        && said.thinking() == null
                        && said.attributes().isEmpty();
            }
        }
        return false;
    }

    List<ChatMessage> of(List<ContextMessage> shown) {
        List<ChatMessage> messages = new ArrayList<>();
        Deque<Content> seen = pictures(shown);
        for (ContextMessage message : shown) {
            switch (message) {
                case ContextMessage.SystemBlock system -> messages.add(SystemMessage.from(system.text()));
                case ContextMessage.User user ->
                    messages.add(UserMessage.from(user.parts().stream()
                            .map(part -> content(part, seen))
                            .toList()));
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

    private static Content content(ContextMessage.Part part, Deque<Content> seen) {
        return switch (part) {
            case ContextMessage.Part.Text text -> TextContent.from(text.text());
            case ContextMessage.Part.Picture _ -> seen.pop();
        };
    }

    /** All pictures in their order. They are read from the newest on, as long as there is room. */
    private Deque<Content> pictures(List<ContextMessage> shown) {
        Deque<Content> seen = new ArrayDeque<>();
        int room = maxImageBytes;
        for (ContextMessage message : shown.reversed()) {
            if (message instanceof ContextMessage.User user) {
                for (ContextMessage.Part part : user.parts().reversed()) {
                    if (part instanceof ContextMessage.Part.Picture picture) {
                        room -= picture(picture, room, seen);
                    }
                }
            }
        }
        return seen;
    }

    /** Gives how much of the room it takes. */
    private int picture(ContextMessage.Part.Picture picture, int room, Deque<Content> seen) {
        Optional<InputStream> found = pictures.apply(picture);
        if (found.isEmpty()) {
            seen.push(TextContent.from("(An image that is not there any more.)"));
            return 0;
        }
        try (InputStream stored = found.get()) {
            byte[] bytes = stored.readNBytes(room + 1);
            if (bytes.length > room) {
                seen.push(TextContent.from("(An image that is too large to be shown along with the others.)"));
                return 0;
            }
            String data = Base64.getEncoder().encodeToString(bytes);
            seen.push(ImageContent.from(data, picture.mimeType(), ImageContent.DetailLevel.AUTO));
            return bytes.length;
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
