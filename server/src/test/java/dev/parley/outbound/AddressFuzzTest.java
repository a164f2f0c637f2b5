package dev.parley.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Fuzz;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random URLs of outgoing calls are read as Java reads them, or refused with a sentence. */
class AddressFuzzTest {
    private static final List<String> PIECES = List.of(
            "http://",
            "https://",
            "user@",
            ":80",
            ":0",
            "/",
            "?",
            "#",
            "%",
            ".",
            "1",
            "127.0.0.1",
            "0x7f",
            "[::1]",
            "[",
            "]",
            "example.org",
            "-",
            " ");

    @Test
    void urlsAreReadOrRefused() {
        Fuzz.each(
                List.of(
                        "https://example.org/a?b=c",
                        "http://127.0.0.1:8080/",
                        "http://[::1]:80/",
                        "http://2130706433/"),
                PIECES,
                text -> {
                    try {
                        OutboundUrl url = OutboundUrl.parse(text);
                        assertThat(url.uri()).isEqualTo(URI.create(text));
                        assertThat(url.uri().getRawUserInfo()).isNull();
                        assertThat(url.destination().port()).isBetween(1, 65_535);
                    } catch (IllegalArgumentException refused) {
                        assertThat(refused.getMessage()).matches("(is|must) .*");
                    }
                });
    }

    @Test
    void destinationsAreReadOrRefused() {
        Fuzz.each(
                List.of("example.org:443", "127.0.0.1:80", "[::1]:8080", "1.2.3.4.5:1"),
                PIECES,
                text -> Destination.parse(text)
                        .ifPresent(destination -> assertThat(Destination.parse(destination.toString()))
                                .contains(destination)));
    }
}
