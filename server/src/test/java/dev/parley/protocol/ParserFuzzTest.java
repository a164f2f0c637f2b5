package dev.parley.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.chat.LegacyPrefix;
import dev.parley.testing.Fuzz;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The small parsers that all others are built from, compared with equivalent regular expressions. */
class ParserFuzzTest {
    private static final Pattern DATA_URL =
            Pattern.compile("data:([\\w.+-]+/[\\w.+-]+)(?:;[^,;]{1,80})*;base64,", Pattern.CASE_INSENSITIVE);

    private static final List<String> SIGNS =
            List.of(" ", "\t", "\n", "/", "//", ";", ",", ".", "-", "_", "0", "9", "a", "Z", "é", "👍");

    @Test
    void dataUrls() {
        Fuzz.each(
                List.of(
                        "data:image/png;base64,AA==",
                        "DATA:image/svg+xml;charset=utf-8;BASE64,PHN2Zz4=",
                        "data:image/png;" + "a".repeat(79) + ";base64,AA==",
                        "data:image/png,plain"),
                List.of("data:", ";", ",", "/", ";base64,", ";base64", "image/png", "a".repeat(79), "=", " "),
                text -> {
                    Matcher expected = DATA_URL.matcher(text);
                    boolean is = expected.lookingAt();
                    assertThat(DataUrl.parse(text).isPresent()).isEqualTo(is);
                    DataUrl.parse(text).ifPresent(url -> {
                        assertThat(url.mimeType()).isEqualTo(expected.group(1));
                        assertThat(url.base64()).isEqualTo(text.substring(expected.end()));
                    });
                });
    }

    /** It overflowed the stack of the expression. */
    @Test
    void aDataUrlOfManyParametersIsReadLikeAnyOther() {
        assertThat(DataUrl.parse("data:image/png" + ";x".repeat(100_000) + ";base64,AA=="))
                .contains(new DataUrl("image/png", "AA=="));
        assertThat(DataUrl.parse("data:image/png" + ";x".repeat(100_000) + ",AA=="))
                .isEmpty();
    }

    @Test
    void alphabets() {
        Alphabet some = Alphabet.of("a-z0-9/-");
        Fuzz.each(List.of("abc/def", "//a//", "-- --", "0/9"), SIGNS, text -> {
            assertThat(some.spells(text)).isEqualTo(text.matches("[a-z0-9/-]*"));
            assertThat(some.spells(text, 2, 5)).isEqualTo(text.matches("[a-z0-9/-]{2,5}"));
            assertThat(some.strippedFromEnd(some.strippedFrom(text)))
                    .isEqualTo(text.replaceAll("^[a-z0-9/-]+|[a-z0-9/-]+\\z", ""));
            assertThat(some.removedFrom(text)).isEqualTo(text.replaceAll("[a-z0-9/-]", ""));
            assertThat(some.keptOf(text)).isEqualTo(text.replaceAll("[^a-z0-9/-]", ""));
            assertThat(some.replaceOthers(text, '?')).isEqualTo(text.replaceAll("[^a-z0-9/-]", "?"));
            assertThat(some.oneOfEach(text, '+')).isEqualTo(text.replaceAll("[a-z0-9/-]+", "+"));
            assertThat(some.begins(text)).isEqualTo(text.matches("(?s)[a-z0-9/-].*"));
        });
    }

    @Test
    void splits() {
        Fuzz.each(List.of("a/b/c", "/", "", "//a"), SIGNS, text -> {
            assertThat(Split.at('/', text)).containsExactly(text.split("/", -1));
            assertThat(Split.at('/', text, 1)).containsExactly(text);
            assertThat(Split.at('/', text, 3)).containsExactly(text.split("/", 3));
        });
    }

    @Test
    void ids() {
        Fuzz.each(
                List.of("0198c0de-0000-7000-8000-000000000001", "0198C0DE-0000-7000-8000-00000000000F", "1-1-1-1-1"),
                List.of("-", "0", "f", "F", "g", "0198c0de", "8000"),
                text -> UuidV7.parseCanonical(text)
                        .ifPresent(id -> assertThat(id)
                                .isEqualTo(UUID.fromString(text))
                                .hasToString(text.toLowerCase(java.util.Locale.ROOT))));
    }

    @Test
    void prefixesOfSenders() {
        for (String source : List.of("slack", "discord", "bluebubbles")) {
            Fuzz.each(
                    List.of(
                            "[Slack channel:C1 user:Ann] hi",
                            "[Discord channel:1 user:A [b] c] hi",
                            "[Ann]: hi",
                            "[Slack channel: user:]"),
                    List.of("[", "]", "]:", " ", "\n", "user:", "[Slack channel:", "[Discord channel:", ":"),
                    text -> assertThat(text).endsWith(LegacyPrefix.strip(text, source)));
        }
    }
}
