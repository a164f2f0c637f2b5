package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.MediaType;
import dev.parley.testing.Fuzz;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The parsers of headers and addresses, compared with equivalent regular expressions that would take too long for a
 * caller's text.
 */
class HeaderFuzzTest {
    private static final Pattern RANGE =
            Pattern.compile("\\s*bytes\\s*=\\s*([0-9]*)\\s*-\\s*([0-9]*)\\s*", Pattern.CASE_INSENSITIVE);

    /** A parameter that is a name with a value: a token, or in quotes without escapes. */
    private static final String PARAMETER = "\\s*;\\s*([a-z]+)=([a-z0-9-]+|\"[a-z0-9 ;=,-]*\")";

    private static final Pattern PROPER = Pattern.compile("[a-z/+]+(" + PARAMETER + ")*\\s*");

    @Test
    void ranges() {
        Fuzz.each(
                List.of("bytes=0-1", " BYTES = 5 - ", "bytes=-00500", "bytes=0-1,3-4", "bytes=99999999999999999999-"),
                List.of(" ", "\t", "bytes", "=", "-", ",", "0", "17", "999999999999999999", "x"),
                text -> {
                    Matcher expected = RANGE.matcher(text);
                    Optional<RangeHeader> range = RangeHeader.parse(text);
                    assertThat(range.isPresent()).isEqualTo(expected.matches());
                    range.ifPresent(found -> {
                        assertThat(found.first()).isEqualTo(number(expected.group(1)));
                        assertThat(found.last()).isEqualTo(number(expected.group(2)));
                    });
                });
    }

    private static OptionalLong number(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return digits.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(significant.length() > 18 ? Long.MAX_VALUE : Long.parseLong(significant));
    }

    @Test
    void mediaTypes() {
        Fuzz.each(
                List.of(
                        "application/json",
                        "application/json; charset=utf-8",
                        "a/b;c=\"d;charset=x\"; charset=\"utf-8\"",
                        "multipart/form-data; boundary=\"a b\""),
                List.of(" ", ";", "=", "\"", "\\", "charset", "charset=", "; charset=utf-8", "a/b", ";a=b", ","),
                text -> {
                    MediaType type = MediaType.parse(text);
                    Optional<String> charset = type.parameter("Charset");
                    int semicolon = text.indexOf(';');
                    assertThat(type.essence())
                            .isEqualTo((semicolon < 0 ? text : text.substring(0, semicolon))
                                    .strip()
                                    .toLowerCase(Locale.ROOT));
                    if (PROPER.matcher(text).matches()) {
                        assertThat(charset).isEqualTo(lastCharset(text));
                    }
                });
    }

    private static Optional<String> lastCharset(String proper) {
        Matcher parameters = Pattern.compile(PARAMETER).matcher(proper);
        String last = null;
        while (parameters.find()) {
            last = parameters.group(1).equals("charset") ? parameters.group(2).replace("\"", "") : last;
        }
        return Optional.ofNullable(last);
    }

    @Test
    void valuesOfForms() {
        List<String> samples = List.of(
                "form-data; name=\"a\"; filename=\"b.png\"",
                "form-data; name=a; filename*=UTF-8''%e2%82%ac.png",
                "form-data; name=\"a\\\"b%22\"");
        List<String> pieces = List.of(" ", ";", "=", "\"", "\\", "%", "%e2", "'", "filename", "*", "utf-8''", "name=");
        Fuzz.eachOrRefused(samples, pieces, text -> {
            HeaderValue value = HeaderValue.parse(text);
            assertThat(text).startsWith(value.value().isEmpty() ? "" : text.substring(0, text.indexOf(value.value())));
            value.extended("filename");
        });
    }

    @Test
    void escapes() {
        List<String> samples = List.of("a%20b", "%F0%9F%91%8D", "a+b", "%00", "%c3%28");
        List<String> pieces = List.of("%", "%2", "%2F", "%e2", "%82%ac", "+", "/", ".", "%ff", "%00", "a");
        Fuzz.eachOrRefused(samples, pieces, text -> {
            String decoded = PercentEncoding.decodeQuery(text);
            assertThat(decoded).isEqualTo(URLDecoder.decode(text, StandardCharsets.UTF_8));
            assertThat(PercentEncoding.decodeQuery(PercentEncoding.encodeSegment(decoded)))
                    .isEqualTo(decoded);
        });
    }

    @Test
    void targets() {
        Fuzz.eachOrRefused(
                List.of("/a/b?c=d&e=f", "http://x:80/a", "//a/b", "/a?b=%20&b"),
                List.of("/", "?", "&", "=", "#", "%2F", "http://", "x:80", "@", "..", ";"),
                RequestTarget::of);
    }
}
