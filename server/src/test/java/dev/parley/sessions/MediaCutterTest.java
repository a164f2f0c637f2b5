package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaCutterTest {
    /** Base64 of the minimum length of a cut. */
    private static final String SMALLEST = Base64.getEncoder().encodeToString(new byte[768]);

    private static MediaCutter.Cut cut(String json) {
        return MediaCutter.cut(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    /** Restores the text from the pieces' offsets. */
    private static String whole(MediaCutter.Cut cut) {
        StringBuilder whole = new StringBuilder();
        int from = 0;
        // Every byte is one character here, so that offsets count both.
        String stored = new String(cut.json(), StandardCharsets.ISO_8859_1);
        for (MediaCutter.Piece piece : cut.pieces()) {
            whole.append(stored, from, piece.at()).append(Base64.getEncoder().encodeToString(piece.bytes()));
            from = piece.at();
        }
        return text(whole.append(stored.substring(from)).toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String member(MediaCutter.Cut cut, MediaCutter.Piece piece) {
        return text(Arrays.copyOfRange(cut.json(), piece.start(), piece.end()));
    }

    @Test
    void cutMediaAreRestoredByteForByteInAnyMessage() {
        for (long seed = 0; seed < 3_000; seed++) {
            SampleMessages samples = new SampleMessages(seed);
            String message = samples.next();

            MediaCutter.Cut cut = cut(message);

            assertThat(whole(cut)).as("seed %s", seed).isEqualTo(message);
            assertThat(cut.pieces().stream().map(MediaCutter.Piece::bytes).toList())
                    .as("seed %s", seed)
                    .containsExactlyInAnyOrderElementsOf(samples.cuttable());
            for (MediaCutter.Piece piece : cut.pieces()) {
                assertThat(member(cut, piece)).matches("\"(\\\\u0063|c)ontent\"\\s*:\\s*\"\"");
                assertThat(Json.MAPPER.readTree(cut.json()).at(piece.pointer() + "/content"))
                        .isEqualTo(Json.MAPPER.readTree("\"\""));
            }
        }
    }

    @Test
    void membersOfAnItemAreReadInAnyOrder() {
        String message = """
                {"images": [{"id": "a", "content": "%1$s", "mime_type": "image/png"}],
                 "audio_output": {"format": "wav", "content": "%1$s"},
                 "files": [3, {"content": "%1$s", "filename": "报告.pdf", "mime_type": "application/pdf"}]}""".formatted(SMALLEST);

        MediaCutter.Cut cut = cut(message);

        assertThat(cut.pieces())
                .extracting(
                        MediaCutter.Piece::pointer,
                        MediaCutter.Piece::id,
                        MediaCutter.Piece::mimeType,
                        MediaCutter.Piece::format,
                        MediaCutter.Piece::filename)
                .containsExactly(
                        tuple("/images/0", "a", "image/png", null, null),
                        tuple("/audio_output", null, null, "wav", null),
                        tuple("/files/1", null, "application/pdf", null, "报告.pdf"));
        assertThat(text(cut.json())).isEqualTo(message.replace(SMALLEST, ""));
    }

    @Test
    void smallMediaStayInTheText() {
        String smaller = Base64.getEncoder().encodeToString(new byte[765]);
        assertThat(SMALLEST).hasSize(MediaCutter.MIN_BYTES);
        assertThat(smaller).hasSize(MediaCutter.MIN_BYTES - 4);

        assertThat(cut("{\"images\":[{\"content\":\"" + SMALLEST + "\"}]}").pieces())
                .hasSize(1);
        assertThat(cut("{\"images\":[{\"content\":\"" + smaller + "\"}]}").pieces())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\":\"%s\"}",
                "{\"images\":{\"content\":\"%s\"}}",
                "{\"images\":[[{\"content\":\"%s\"}]]}",
                "{\"images\":[\"%s\"]}",
                "{\"images\":[{\"content\":[\"%s\"]}]}",
                "{\"images\":[{\"metadata\":{\"content\":\"%s\"}}]}",
                "{\"audio_output\":[{\"content\":\"%s\"}]}",
                "{\"tool_args\":{\"images\":[{\"content\":\"%s\"}]}}",
                "{\"files\":[{\"content\":\"%s\",\"mime_type\":\"text/plain\"}]}",
                "{\"files\":[{\"mime_type\":\"TEXT/csv; charset=utf-8\",\"content\":\"%s\"}]}",
                "{\"images\":[{\"content\":\"%s\\n\"}]}",
                "{\"images\":[{\"content\":\" %s\"}]}",
                "{\"images\":[{\"content\":\"%s=\"}]}",
                "{\"images\":[{\"content\":\"%s====\"}]}",
                "{\"images\":[{\"content\":\"%sA\"}]}",
                "{\"images\":[{\"content\":\"%sA===\"}]}",
                "{\"images\":[{\"content\":\"%sAB==\"}]}",
                "{\"images\":[{\"content\":\"%sAAB=\"}]}",
                "{\"images\":[{\"content\":\"%sAA=A\"}]}",
                "{\"images\":[{\"content\":\"%sAA-_\"}]}",
                "{\"images\":[{\"content\":\"%sAA\\/A\"}]}",
                "{\"images\":[{\"content\":\"data:image/png;base64,%s\"}]}",
                "{\"images\":[{\"content\":\"%s中文\"}]}"
            })
    void mediaThatCannotBeRestoredExactlyStayInTheText(String message) {
        String text = message.formatted(SMALLEST);

        MediaCutter.Cut cut = cut(text);

        assertThat(cut.pieces()).isEmpty();
        assertThat(text(cut.json())).isEqualTo(text);
    }

    @Test
    void textIsRawOnlyInFiles() {
        String message = "{\"images\":[{\"content\":\"" + SMALLEST + "\",\"mime_type\":\"text/plain\"}]}";

        assertThat(cut(message).pieces()).hasSize(1);
    }

    @Test
    void canonicalBase64IsCut() {
        Random random = new Random(9);
        String letters = "ABMQZaz019+/=";
        for (int i = 0; i < 20_000; i++) {
            String text = IntStream.range(0, random.nextInt(10))
                    .mapToObj(any -> "" + letters.charAt(random.nextInt(letters.length())))
                    .collect(Collectors.joining());

            boolean cut = Base64Span.at(("\"" + text + "\"").getBytes(StandardCharsets.US_ASCII), 1)
                    .isPresent();

            assertThat(cut).as(text).isEqualTo(encodesToItself(text));
        }
    }

    private static boolean encodesToItself(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(text))
                    .equals(text);
        } catch (IllegalArgumentException noBase64) {
            return false;
        }
    }

    @Test
    void itemWithAReferenceOfItsOwnIsRestoredAsItCame() {
        String place = "{\"images\":[{\"content\":\"" + SMALLEST + "\",\"%s\":%s}]}";

        assertThat(cut(place.formatted("url", "null")).pieces().getFirst().asItCame())
                .isTrue();
        assertThat(cut(place.formatted("url", "\"x\"")).pieces().getFirst().asItCame())
                .isTrue();
        assertThat(cut(place.formatted("media_reference", "{}"))
                        .pieces()
                        .getFirst()
                        .asItCame())
                .isTrue();
        assertThat(cut(place.formatted("detail", "null")).pieces().getFirst().asItCame())
                .isFalse();
    }

    @Test
    void mediaCutFromOneMessageAreLimited() {
        String item = "{\"content\":\"" + SMALLEST + "\"}";
        String items = String.join(",", Collections.nCopies(MediaCutter.MAX_MEDIA + 1, item));

        MediaCutter.Cut cut = cut("{\"images\":[" + items + "]}");

        assertThat(cut.pieces()).hasSize(MediaCutter.MAX_MEDIA);
        assertThat(whole(cut)).isEqualTo("{\"images\":[" + items + "]}");
    }
}
