package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decoding that docs/use/slack.md promises, rule by rule. */
class SlackTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "plain text → plain text",
                "a &lt; b &amp;&amp; b &gt; c → a < b && b > c",
                "&amp;lt; is how one writes &lt; → &lt; is how one writes <",
                "&nbsp; &quot; stay → &nbsp; &quot; stay",
                "<@U06STGBF4Q0> hi → <@U06STGBF4Q0> hi",
                "<@U06STGBF4Q0|olivia> hi → <@U06STGBF4Q0> hi",
                "see <#C024BE7LR|general> → see #general",
                "see <#C024BE7LR> → see <#C024BE7LR>",
                "<!here> <!channel> <!everyone> → @here @channel @everyone",
                "<!here|@here> → @here",
                "<!subteam^SAZ94GDB8|@team> → @team",
                "<!subteam^SAZ94GDB8> → <!subteam^SAZ94GDB8>",
                "<!date^1392734382^{date}|Feb 18> → Feb 18",
                "<https://example.com/a?b=1&amp;c=2> → https://example.com/a?b=1&c=2",
                "<http://example.com|example.com> → example.com",
                "<https://example.com/|https://example.com> → https://example.com",
                "<https://example.com|our page> → our page (https://example.com)",
                "<https://example.com|R&amp;D> → R&D (https://example.com)",
                "<mailto:a@example.com|a@example.com> → a@example.com",
                "<mailto:a@example.com|Write> → Write (a@example.com)",
                "<tel:+4912345|+4912345> → +4912345",
                "<nothing known> → <nothing known>",
                "3 < 4 > 2 → 3 < 4 > 2",
                "早上好 <@U1A> 👩‍👩‍👧‍👦 &amp; مرحبا → 早上好 <@U1A> 👩‍👩‍👧‍👦 & مرحبا"
            })
    void wireTextIsDecoded(String wire, String typed) {
        assertThat(SlackText.decode(wire)).isEqualTo(typed);
    }

    @Test
    void whitespaceIsKept() {
        assertThat(SlackText.decode("  a\n\n\tb  ")).isEqualTo("  a\n\n\tb  ");
        assertThat(SlackText.decode("")).isEmpty();
    }

    @Test
    void mentionsAreFoundOnceEachAndInOrder() {
        assertThat(SlackText.mentioned("<@U2B> and <@U1A|al> and <@U2B>, not &lt;@U3C&gt; nor <#C1A>"))
                .containsExactly("U2B", "U1A");
    }

    @Test
    void peopleCanBeMentionedAndChannelsCannotBeWoken() {
        assertThat(SlackText.encode("<@U06STGBF4Q0>: a < b && c")).isEqualTo("<@U06STGBF4Q0>: a &lt; b &amp;&amp; c");
        assertThat(SlackText.encode("<!channel> <!here|x> <!everyone> <!subteam^S1> @channel"))
                .isEqualTo("&lt;!channel&gt; &lt;!here|x&gt; &lt;!everyone&gt; &lt;!subteam^S1&gt; @channel");
        assertThat(SlackText.encode("<@U1|<!channel>>")).doesNotContain("<!");
        assertThat(SlackText.encode("<https://example.com|safe>")).isEqualTo("&lt;https://example.com|safe&gt;");
    }

    @Test
    void encodedTextDecodesToTheSame() {
        List<String> pieces = List.of(
                "<",
                ">",
                "&",
                "amp;",
                "lt;",
                "@U1A",
                "<@U06STGBF4Q0>",
                "!here",
                "|",
                "é",
                "👍🏽",
                "早",
                "\n",
                " ",
                "#C1");
        Random random = new Random(7);
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            assertThat(SlackText.decode(SlackText.encode(text.toString()))).isEqualTo(text.toString());
        }
    }
}
