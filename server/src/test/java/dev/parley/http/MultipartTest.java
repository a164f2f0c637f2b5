package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.http.Multipart.Part;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartTest {
    private static final String TYPE = "multipart/form-data; boundary=B";

    /** Returns a few bytes at a time, as a network does. */
    private static final class Dribble extends InputStream {
        private final InputStream in;
        private final Random random;
        private final int most;

        Dribble(byte[] bytes, Random random, int most) {
            this.in = new ByteArrayInputStream(bytes);
            this.random = random;
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return in.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
        }
    }

    private static Multipart form(String text) {
        return Multipart.of(TYPE, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String part(String disposition, String content) {
        return "--B\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n";
    }

    private static Part only(String disposition) throws IOException {
        return form(part(disposition, "") + "--B--").next().orElseThrow();
    }

    @Test
    void partsComeOneAfterTheOther() throws IOException {
        Multipart form = form("preamble\r\n--B \t\r\ncontent-DISPOSITION:form-data;name=a\r\n\r\none\r\n"
                + "--B\r\nX-Other: 1\r\nContent-Type: image/png\r\nContent-Disposition: form-data; name=\"\";"
                + " filename=\"f.png\"\r\n\r\n\r\n--B--\r\nepilogue");
        Part first = form.next().orElseThrow();
        assertThat(first.name()).isEqualTo("a");
        assertThat(first.filename()).isNull();
        assertThat(first.contentType()).isNull();
        assertThat(first.content().readAllBytes()).asString().isEqualTo("one");
        assertThat(first.content().read()).isEqualTo(-1);
        Part second = form.next().orElseThrow();
        assertThat(second.name()).isEmpty();
        assertThat(second.filename()).isEqualTo("f.png");
        assertThat(second.contentType()).isEqualTo("image/png");
        assertThat(second.content().readAllBytes()).isEmpty();
        assertThat(form.next()).isEmpty();
        assertThat(form.next()).isEmpty();
    }

    @Test
    void nextPartSkipsTheRestAndEndsTheOldPart() throws IOException {
        Multipart form = form(part("name=a", "x".repeat(100_000)) + part("name=b", "two") + "--B--");
        Part first = form.next().orElseThrow();
        assertThat(first.content().read()).isEqualTo('x');
        assertThat(form.next().orElseThrow().content().readAllBytes())
                .asString()
                .isEqualTo("two");
        assertThatThrownBy(() -> first.content().read()).isInstanceOf(IOException.class);
    }

    @Test
    void aFormMayHaveNoParts() throws IOException {
        assertThat(form("--B--\r\n").next()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "filename=\"a b.txt\"|a b.txt",
                "filename=plain.txt|plain.txt",
                "filename=\"\"|``",
                "filename=\"a\\\"b\\\\c.txt\"|a\"b\\c.txt",
                "filename=\"C:\\dir\\f.txt\"|C:\\dir\\f.txt",
                "filename=\"a%22b; c=d.txt\"|a\"b; c=d.txt",
                "filename=\"Grüße €.txt\"|Grüße €.txt",
                "filename=\"x.txt\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt|Grüße.txt",
                "filename*=utf-8'de'a%2Fb.txt; filename=\"x.txt\"|a/b.txt",
                "filename*=iso-2022-jp''%1B; filename=\"x.txt\"|x.txt",
            })
    void fileNamesAreUnderstood(String written, String filename) throws IOException {
        assertThat(only("name=\"f\"; " + written).filename()).isEqualTo(filename);
    }

    @Test
    void namesAreReadAsUtf8() throws IOException {
        assertThat(only("name=\"naïve%22\"").name()).isEqualTo("naïve\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "application/json", "multipart/mixed; boundary=B", "text/plain; multipart/form-data"})
    void otherMediaTypesAreRefused(String type) {
        refused(Problem.UNSUPPORTED_MEDIA_TYPE, () -> Multipart.of(type, InputStream.nullInputStream()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"open",
                "multipart/form-data; boundary=ä",
                "multipart/form-data; boundary=a; boundary=b"
            })
    void missingBoundaryIsRefused(String type) {
        refused(Problem.MALFORMED_REQUEST, () -> Multipart.of(type, InputStream.nullInputStream()));
    }

    @Test
    void aBoundaryHasAtMostSeventyCharacters() throws IOException {
        String longest = "b".repeat(70);
        byte[] form = ("--" + longest + "--").getBytes(StandardCharsets.US_ASCII);
        assertThat(Multipart.of("multipart/form-data; boundary=" + longest, new ByteArrayInputStream(form))
                        .next())
                .isEmpty();
        refused(
                Problem.MALFORMED_REQUEST,
                () -> Multipart.of("multipart/form-data; boundary=b" + longest, InputStream.nullInputStream()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no boundary at all",
                "--B",
                "--B\r\n",
                "--Bx\r\n\r\n",
                "--B\r\nContent-Disposition: form-data; name=a\r\n",
                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nno end",
                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf an end\r\n--B-",
                "--B\r\n\r\nno headers\r\n--B--",
                "--B\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--B--",
                "--B\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"b\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''%f\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''%ff\r\n\r\n\r\n--B--",
                "--B\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\n\r\n--B--",
                "--B\r\nno colon\r\n\r\n\r\n--B--",
            })
    void aBrokenFormIsRefused(String text) {
        refused(Problem.MALFORMED_REQUEST, () -> readAll(form(text)));
    }

    @Test
    void headersHaveTheirLimit() throws IOException {
        String needed = "Content-Disposition: form-data; name=a\r\n";
        String filled = "--B\r\n" + needed + "X: " + "x".repeat(8192 - needed.length() - 5);
        assertThat(readAll(form(filled + "\r\n\r\nok\r\n--B--"))).hasSize(1);
        refused(Problem.MALFORMED_REQUEST, () -> readAll(form(filled + "x\r\n\r\nok\r\n--B--")));
    }

    @Test
    void partsHaveTheirLimit() throws IOException {
        assertThat(readAll(form(part("name=a", "").repeat(16) + "--B--"))).hasSize(16);
        refused(Problem.MALFORMED_REQUEST, () -> readAll(form(part("name=a", "").repeat(17) + "--B--")));
    }

    /** Contents made of parts of a boundary, cut into pieces in every way. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void contentsFullOfHalfBoundariesArriveUnchanged(long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            String boundary = random.nextBoolean() ? "----a--" : "aab".repeat(1 + random.nextInt(8));
            List<byte[]> contents = new ArrayList<>();
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int i = random.nextInt(5); i >= 0; i--) {
                byte[] content = content(random, boundary);
                contents.add(content);
                body.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                body.writeBytes(content);
                body.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            body.writeBytes(("--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
            int most = random.nextBoolean() ? 3 : 70_000;
            List<byte[]> read = readAll(Multipart.of(
                    "multipart/form-data; boundary=\"" + boundary + "\"",
                    new Dribble(body.toByteArray(), random, most)));
            assertThat(read).hasSameSizeAs(contents);
            for (int i = 0; i < read.size(); i++) {
                assertThat(Arrays.equals(read.get(i), contents.get(i))).isTrue();
            }
        }
    }

    private static byte[] content(Random random, String boundary) {
        String mark = "\r\n--" + boundary;
        StringBuilder text = new StringBuilder();
        int pieces = random.nextInt(random.nextInt(10) == 0 ? 8_000 : 60);
        for (int i = 0; i < pieces; i++) {
            switch (random.nextInt(4)) {
                case 0 -> text.append("\r\n");
                case 1 -> text.append((char) random.nextInt(256));
                case 2 -> text.append(boundary, 0, random.nextInt(boundary.length() + 1));
                default -> text.append(mark, 0, random.nextInt(mark.length()));
            }
        }
        // Whole boundaries must not occur in a content; also not across the content's own end.
        String clean = text.toString();
        while ((clean + "\r\n--").contains(mark) || ("\r\n" + clean).contains(mark)) {
            clean = clean.replace(mark, "\r\n-");
            clean = clean.startsWith(mark.substring(2)) ? clean.substring(1) : clean;
            clean = (clean + "\r\n--").contains(mark) && !clean.contains(mark) ? clean + "." : clean;
        }
        return clean.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aLargePartCostsNoMoreThanItsLength() throws IOException {
        // A search that started anew at every half boundary would take hours here.
        byte[] content = ("\r\n--" + "a".repeat(60)).repeat(500_000).getBytes(StandardCharsets.US_ASCII);
        String boundary = "a".repeat(69) + "b";
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=a\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(content);
        body.writeBytes(("\r\n--" + boundary + "--").getBytes(StandardCharsets.US_ASCII));
        List<byte[]> read = readAll(Multipart.of(
                "multipart/form-data; boundary=" + boundary, new ByteArrayInputStream(body.toByteArray())));
        assertThat(Arrays.equals(read.getFirst(), content)).isTrue();
    }

    @Test
    void aFormIsReadFromAnUpload() throws Exception {
        try (TestEdge edge =
                TestEdge.start(routes -> routes.upload("POST", "/form", BodyLimit.of(1_000_000), Unrated.FREE, call -> {
                    Part part = Multipart.of(call).next().orElseThrow();
                    return Answer.ok(part.filename() + " " + part.content().readAllBytes().length);
                }))) {
            String body = part("name=\"\"; filename=\"ü\"", "x".repeat(500_000)) + "--B--\r\n";
            for (int i = 0; i < 2; i++) {
                assertThat(edge.client
                                .send(
                                        edge.request("/form")
                                                .header("Content-Type", TYPE)
                                                .POST(BodyPublishers.ofString(body))
                                                .build(),
                                        BodyHandlers.ofString())
                                .body())
                        .isEqualTo("\"ü 500000\"");
            }
            assertThat(edge.post("/form", body).statusCode()).isEqualTo(415);
        }
    }

    private static List<byte[]> readAll(Multipart form) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (var part = form.next(); part.isPresent(); part = form.next()) {
            contents.add(part.get().content().readAllBytes());
        }
        return contents;
    }

    private static void refused(Problem problem, ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isEqualTo(problem));
    }
}
