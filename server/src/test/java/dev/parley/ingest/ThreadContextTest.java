package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lines of a thread context, and the choice among too many lines. */
class ThreadContextTest {
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";
    private static final int LIMIT = 8 * 1024;

    private static EarlierMessage message(String id, String text) {
        return message(id, "Ash", "<@U03ASH>", text);
    }

    private static EarlierMessage message(String id, String name, @Nullable String token, String text) {
        return new EarlierMessage(
                id, null, null, new EarlierMessage.Author("slack:U", name, token), text, null, id.equals("1"));
    }

    private static ThreadContext of(List<EarlierMessage> messages, int leftOut, @Nullable String problem, int limit) {
        return Objects.requireNonNull(
                ThreadContext.of(new ThreadContext.Lines(messages, null, leftOut, false, problem != null), limit));
    }

    private static List<EarlierMessage> messages(int count, String text) {
        List<EarlierMessage> messages = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            messages.add(message(Integer.toString(i), text));
        }
        return messages;
    }

    @Test
    void everyMessage_hasItsLine() {
        List<EarlierMessage> messages = List.of(
                message("1", "明天？"),
                message("2", "عُمَر", "<@U04>", "نعم 👍🏽"),
                message("3", "Jenkins", null, "build 7 failed"));

        ThreadContext context = of(messages, 0, null, LIMIT);

        assertThat(context.text().lines())
                .containsExactly(
                        HEADER, "- Ash (<@U03ASH>): 明天？", "- عُمَر (<@U04>): نعم 👍🏽", "- Jenkins: build 7 failed");
        assertThat(context.quoted().size()).isEqualTo(3);
        assertThat(context.leftOut()).isZero();
    }

    @Test
    void noMessages_haveNoText() {
        assertThat(ThreadContext.of(new ThreadContext.Lines(List.of(), null, 0, false, false), LIMIT))
                .isNull();
    }

    @Test
    void longTexts_areCutWithAnEllipsis() {
        List<String> lines = of(
                        List.of(
                                message("1", "x".repeat(1_001)),
                                message("2", "y".repeat(401)),
                                message("3", "z".repeat(400))),
                        0,
                        null,
                        LIMIT)
                .text()
                .lines()
                .toList();

        assertThat(lines.get(1)).endsWith(": " + "x".repeat(1_000) + "…");
        assertThat(lines.get(2)).endsWith(": " + "y".repeat(400) + "…");
        assertThat(lines.get(3)).endsWith(": " + "z".repeat(400));
    }

    @Test
    void byteLimit_dropsTheOldestButTheFirst() {
        List<EarlierMessage> messages = messages(100, "语".repeat(100));

        for (int limit : new int[] {400, 1_000, 2_345, LIMIT}) {
            ThreadContext context = of(messages, 7, null, limit);

            assertThat(context.text().getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(limit);
            assertThat(context.quoted().size() + context.leftOut()).isEqualTo(107);
            List<String> lines = context.text().lines().toList();
            assertThat(lines.get(1)).startsWith("- Ash (<@U03ASH>): 语");
            assertThat(lines.get(2)).isEqualTo("- (" + context.leftOut() + " messages left out)");
            assertThat(lines).hasSize(context.quoted().size() + 2);
        }
    }

    @Test
    void exactFit_dropsNothingAndOneByteLessDropsOne() {
        List<EarlierMessage> messages = messages(5, "hello");
        int exact = LIMIT;
        while (of(messages, 0, null, exact - 1).leftOut() == 0) {
            exact--;
        }

        assertThat(of(messages, 0, null, exact).quoted()).hasSize(5);
        assertThat(of(messages, 0, null, exact - 1).quoted()).hasSize(4);
        assertThat(of(messages, 0, null, exact - 1).text()).contains("- (1 message left out)");
    }

    @Test
    void answeredMessageWithoutRoom_isLeftOut() {
        List<EarlierMessage> messages = List.of(message("1", "x".repeat(1_000)), message("2", "the answered one"));
        ThreadContext.Lines lines = new ThreadContext.Lines(messages, "2", 0, false, false);
        int first = "- Ash (<@U03ASH>): ".length() + 1_000 + 1;
        int header = HEADER.getBytes(StandardCharsets.UTF_8).length + 1;

        ThreadContext context = Objects.requireNonNull(ThreadContext.of(lines, header + 48 + first));

        assertThat(context.quoted()).containsExactly(messages.getFirst());
        assertThat(context.leftOut()).isEqualTo(1);
        assertThat(context.text()).doesNotContain("\n\n").contains("- (1 message left out)");
    }

    @Test
    void missingEnd_hasALine() {
        assertThat(of(messages(2, "hi"), 0, "Slack limits it.", LIMIT).text().lines())
                .last()
                .isEqualTo("- (later messages could not be read)");
    }

    @Test
    void namelessSender_hasAPlaceholder() {
        assertThat(of(List.of(message("1", "\u200B", null, "hi")), 0, null, LIMIT)
                        .text()
                        .lines())
                .last()
                .isEqualTo("- somebody: hi");
    }
}
