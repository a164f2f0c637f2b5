package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullHistoryRulesTest {
    private static final Message PROMPT = new Message.SystemPrompt("s", "x".repeat(5_000), null, null, null, null);
    private static final Message OLD = said("old", "旧".repeat(50));
    private static final Message NEW = said("new", "新".repeat(50));

    private static Message said(String id, String text) {
        return new Message.Assistant(id, text, null, List.of(), null, null, null);
    }

    private static long bytes(Message message) {
        return Json.MAPPER.writeValueAsBytes(message).length;
    }

    private static FullHistoryRules withRoomFor(long bytes) {
        Limits limits = Limits.defaults();
        return new FullHistoryRules(limits.agui(), limits.requests(), bytes);
    }

    @Test
    void givenMessages_beyondTheLimitLoseTheOldest() {
        List<Message> given = List.of(OLD, PROMPT, NEW);
        long both = bytes(OLD) + bytes(NEW);
        assertThat(withRoomFor(both).withinLimit(given)).isEqualTo(given);
        assertThat(withRoomFor(both - 1).withinLimit(given)).containsExactly(PROMPT, NEW);
    }

    @Test
    void givenMessageLargerThanTheLimit_dropsTheOlderOnesToo() {
        Message large = said("large", "x".repeat(2_000));
        assertThat(withRoomFor(1_000).withinLimit(List.of(OLD, large)))
                .as("the newest are kept without a gap")
                .isEmpty();
    }
}
