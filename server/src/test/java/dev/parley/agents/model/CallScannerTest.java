package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallScannerTest {
    private static final String CALL = "```tool_call\n{\"name\": \"look\", \"arguments\": {\"at\": \"x\"}}\n```";

    /** The events of a text, checked to be the same for all sizes of pieces. */
    private static ResponseEvents scanned(String text) {
        ResponseEvents whole = scanned(text, text.length());
        for (int size : List.of(1, 2, 3, 7)) {
            ResponseEvents pieces = scanned(text, size);
            assertThat(pieces.text()).as("pieces of " + size).isEqualTo(whole.text());
            assertThat(pieces.calls())
                    .extracting(ModelResponse.Call::arguments)
                    .isEqualTo(whole.calls().stream()
                            .map(ModelResponse.Call::arguments)
                            .toList());
        }
        return whole;
    }

    private static ResponseEvents scanned(String text, int size) {
        List<AguiEvent> events = new ArrayList<>();
        ResponseEvents voice = new ResponseEvents(events::add, new HashSet<>());
        CallScanner scanner = new CallScanner();
        try {
            for (int i = 0; i < text.length(); i += size) {
                scanner.take(text.substring(i, Math.min(text.length(), i + size)), voice);
            }
            scanner.end(voice);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(events.stream().filter(ToolEvent.Start.class::isInstance))
                .hasSize(voice.calls().size());
        return voice;
    }

    @Test
    void aBlockIsACallAndNoText() {
        ResponseEvents events = scanned("Let me see.\n" + CALL);
        assertThat(events.text()).isEqualTo("Let me see.\n");
        assertThat(events.calls()).singleElement().satisfies(call -> {
            assertThat(call.name()).isEqualTo("look");
            assertThat(call.arguments()).isEqualTo("{\"at\":\"x\"}");
        });
    }

    @Test
    void severalBlocksAreSeveralCalls() {
        ResponseEvents events = scanned(CALL + "\n" + CALL + "\n");
        assertThat(events.text()).isEmpty();
        assertThat(events.calls()).hasSize(2).extracting(ModelResponse.Call::id).doesNotHaveDuplicates();
    }

    @Test
    void fenceInsideTheArgumentsIsNoEnd() {
        ResponseEvents events =
                scanned("```tool_call\n{\"name\":\"w\",\"arguments\":{\"t\":\"a ```js\\nx``` b\"}}\n```");
        assertThat(events.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.arguments()).contains("```js"));
    }

    @Test
    void aBlockWithoutItsLastFenceIsACall() {
        assertThat(scanned("```tool_call\n{\"name\": \"look\"}").calls())
                .singleElement()
                .satisfies(call -> assertThat(call.arguments()).isEqualTo("{}"));
    }

    @Test
    void textWithoutACallIsUnchanged() {
        for (String text : List.of(
                "`code` and ```java\nint x;\n``` and `` ` ``",
                "```tool_call\nnot json\n```",
                "```tool_call\n{\"arguments\": {}}\n```",
                "ends in ``",
                "```tool_call\n{\"name\": \"look\", ")) {
            ResponseEvents events = scanned(text);
            assertThat(events.text()).isEqualTo(text);
            assertThat(events.calls()).isEmpty();
        }
    }

    @Test
    void aBlockThatNeverEndsIsText() {
        String text = "```tool_call\n" + "x".repeat(70_000);
        assertThat(scanned(text, 1_000).text()).isEqualTo(text);
    }

    @Test
    void aWholeObjectInALineEndsItsBlockUnlessItIsNoJson() {
        assertThat(scanned("```tool_call {\"name\":\"w\",\"arguments\":{\"t\":\"\\\\\"}} ```")
                        .calls())
                .singleElement()
                .satisfies(call -> assertThat(call.arguments()).isEqualTo("{\"t\":\"\\\\\"}"));
        ResponseEvents events = scanned("```tool_call {not: json} ``` and ``` then\n``` " + CALL);
        assertThat(events.text()).isEqualTo("```tool_call {not: json} ``` and ``` then\n``` ");
        assertThat(events.calls()).hasSize(1);
    }

    @Test
    void longBlockWithManyFencesIsReadOnce() throws InterruptedException {
        String piece = "x".repeat(280) + "```java\\nint x;\\n```";
        String inside = "{\"name\":\"w\",\"arguments\":{\"t\":\"" + piece.repeat(60_000 / piece.length()) + "\"}}";
        String text = "```tool_call\n" + inside + "\n```";
        ResponseEvents events = new ResponseEvents(event -> {}, new HashSet<>());
        CallScanner scanner = new CallScanner();
        for (int i = 0; i < text.length(); i += 5) {
            scanner.take(text.substring(i, Math.min(text.length(), i + 5)), events);
        }
        assertThat(events.calls()).hasSize(1);
        assertThat(scanner.steps()).isLessThan(3L * text.length());
    }

    @Test
    void invalidObjectIsReadOnce() throws InterruptedException {
        String text = "```tool_call {no json} " + "``` and ".repeat(7_000);
        ResponseEvents events = new ResponseEvents(event -> {}, new HashSet<>());
        CallScanner scanner = new CallScanner();
        for (int i = 0; i < text.length(); i += 5) {
            scanner.take(text.substring(i, Math.min(text.length(), i + 5)), events);
        }
        scanner.end(events);
        assertThat(events.text()).isEqualTo(text);
        assertThat(scanner.steps()).isLessThan(4L * text.length());
    }
}
