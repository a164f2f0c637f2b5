package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.ProblemException;
import dev.parley.testing.Fuzz;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlackParserFuzzTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final List<String> MARKS =
            List.of("<", ">", "&", "&amp;", "&lt;", "|", "@", "#", "!", "U1A", "<@U1A>", "\n", "https://x.org", "amp;");

    @Test
    void encodedTextDecodesToItself() {
        Fuzz.each(
                List.of("a < b && c", "<@U1ABC> hi", "&amp; <!here>"),
                MARKS,
                text -> assertThat(SlackText.decode(SlackText.encode(text))).isEqualTo(text));
    }

    @Test
    void anyTextIsDecoded() {
        Fuzz.each(List.of("<https://x.org|x> &amp; <@U1A|al>", "<#C1|g> <!date^1^{d}|x>"), MARKS, text -> {
            assertThat(SlackText.decode(text)).isNotNull();
            assertThat(SlackText.mentioned(text)).doesNotHaveDuplicates().allMatch(text::contains);
        });
    }

    @Test
    void malformedSignatureOrTimeIsRefused() {
        SlackSignature signature = new SlackSignature(new byte[32], Clock.fixed(NOW, ZoneOffset.UTC));
        List<String> pieces = List.of("v0=", "=", "0", "a", "-", " ", ",", "1700000000", ".", "٣", "\u0000");
        Fuzz.each(List.of("v0=" + "ab".repeat(32), "1700000000", "-1700000000"), pieces, text -> {
            for (Map<String, String> headers : List.of(
                    Map.of("X-Slack-Request-Timestamp", "1700000000", "X-Slack-Signature", text),
                    Map.of("X-Slack-Request-Timestamp", text, "X-Slack-Signature", "v0=" + "ab".repeat(32)))) {
                InboundRequest request =
                        InboundRequest.of("", Map.of(), name -> Optional.ofNullable(headers.get(name)), new byte[0]);
                assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> signature.require(request));
            }
        });
    }

    @Test
    void times() {
        Fuzz.each(List.of("1700000000.123456", "1.1"), List.of(".", "0", "9", "-", "e", " "), text -> {
            Instant time = SlackTime.of(text);
            if (time != null) {
                SlackMessages.sentAt(text).ifPresent(at -> assertThat(time).isEqualTo(at));
            }
        });
    }
}
