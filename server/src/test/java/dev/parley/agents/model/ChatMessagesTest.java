package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.assembly.ContextMessage;
import dev.parley.attachments.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChatMessagesTest {
    /** A picture whose name is its number of bytes. */
    private static ContextMessage.Part picture(int bytes) {
        return new ContextMessage.Part.Picture(
                new ObjectKey(ObjectKey.BUCKET, "a/b.png"), "image/png", String.valueOf(bytes));
    }

    private static ContextMessage user(ContextMessage.Part... parts) {
        return new ContextMessage.User(List.of(parts), ContextMessage.Origin.NONE);
    }

    private static Optional<InputStream> open(ContextMessage.Part.Picture picture) {
        return Optional.of(
                new ByteArrayInputStream(new byte[Integer.parseInt(Objects.requireNonNull(picture.filename()))]));
    }

    /** The parts that the model is sent: "image", or the text. */
    private static List<String> shown(int most, ContextMessage... messages) {
        return new ChatMessages(ChatMessagesTest::open, Map.of(), most)
                .of(List.of(messages)).stream()
                        .flatMap(message -> ((UserMessage) message).contents().stream())
                        .map(ChatMessagesTest::name)
                        .toList();
    }

    private static String name(Content content) {
        return content instanceof ImageContent ? "image" : ((TextContent) content).text();
    }

    @Test
    void imagesShareALimitAndTheNewestComeFirst() {
        String tooLarge = "(An image that is too large to be shown along with the others.)";
        ContextMessage text = user(new ContextMessage.Part.Text("Look"));
        ContextMessage[] talk = {user(picture(40)), text, user(picture(30), picture(30))};
        assertThat(shown(100, talk)).containsExactly("image", "Look", "image", "image");
        assertThat(shown(99, talk)).containsExactly(tooLarge, "Look", "image", "image");
        assertThat(shown(60, talk)).containsExactly(tooLarge, "Look", "image", "image");
        assertThat(shown(59, talk)).containsExactly(tooLarge, "Look", tooLarge, "image");
        assertThat(shown(29, talk)).containsExactly(tooLarge, "Look", tooLarge, tooLarge);
    }

    @Test
    void anthropicReasonsOnlyIfTheLastCallsHaveTheirReasoning() {
        ToolExecutionRequest call = ToolExecutionRequest.builder()
                .id("a")
                .name("look")
                .arguments("{}")
                .build();
        ChatMessage bare =
                AiMessage.builder().toolExecutionRequests(List.of(call)).build();
        ChatMessage thought = AiMessage.builder()
                .toolExecutionRequests(List.of(call))
                .thinking("Hm")
                .build();
        ChatMessage hidden = AiMessage.builder()
                .toolExecutionRequests(List.of(call))
                .attributes(Map.of("redacted_thinking", List.of("x")))
                .build();
        Reasoning much = new Reasoning.Budget(2_000);
        assertThat(Provider.ANTHROPIC.reasoning(much, List.of(UserMessage.from("Hi"))))
                .isEqualTo(much);
        assertThat(Provider.ANTHROPIC.reasoning(much, List.of(bare, thought))).isEqualTo(much);
        assertThat(Provider.ANTHROPIC.reasoning(much, List.of(bare, hidden))).isEqualTo(much);
        assertThat(Provider.ANTHROPIC.reasoning(much, List.of(thought, bare, UserMessage.from("Go on"))))
                .isEqualTo(new Reasoning.AsIs());
        assertThat(Provider.GEMINI.reasoning(much, List.of(bare))).isEqualTo(much);
    }
}
