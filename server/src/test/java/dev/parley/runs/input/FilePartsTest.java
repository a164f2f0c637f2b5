package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ContentPart;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilePartsTest {
    private static final ContentPart.Source DATA = new ContentPart.InlineSource("aGVsbG8=", "image/png");

    private static ContentPart.Media image(ContentPart.Source source) {
        return new ContentPart.Media(ContentPart.Medium.IMAGE, source, null, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aGVsbG8=", "aGVs\r\nbG8=\n", " aGVsbG8 =", "data:image/png;base64,aGVsbG8=", "aGVsbG8"})
    void base64_isReadInAllFormsOfClients(String value) {
        assertThat(FileParts.bytes("m", new ContentPart.InlineSource(value, "image/png")))
                .isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "data:image/png;base64,", "a", "aGVs*G8=", "=", "héllo"})
    void invalidBase64_isRefusedWithItsMessageId(String value) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> FileParts.bytes("m-7", new ContentPart.InlineSource(value, "image/png")))
                .withMessageContaining("m-7");
    }

    @ParameterizedTest
    @CsvSource({
        "image/png,IMAGE",
        "IMAGE/PNG,IMAGE",
        "audio/ogg,AUDIO",
        "video/mp4,VIDEO",
        "application/pdf,DOCUMENT",
        "nonsense,DOCUMENT"
    })
    void olderPart_becomesMedia(String type, ContentPart.Medium medium) {
        assertThat(FileParts.withoutMirrors(List.of(new ContentPart.Binary(type, "id-1", null, "aGVsbG8=", "name"))))
                .containsExactly(new ContentPart.Media(
                        medium,
                        new ContentPart.InlineSource("aGVsbG8=", type),
                        "id-1",
                        Json.MAPPER.createObjectNode().put("filename", "name")));
        assertThat(FileParts.withoutMirrors(List.of(new ContentPart.Binary(type, null, "https://x/y", "", null))))
                .containsExactly(
                        new ContentPart.Media(medium, new ContentPart.UrlSource("https://x/y", type), null, null));
    }

    @Test
    void partWithOnlyAnId_isLeftOut() {
        assertThat(FileParts.withoutMirrors(List.of(new ContentPart.Binary("image/png", "id-1", "", null, "a.png"))))
                .isEmpty();
    }

    @Test
    void partsWithTheSameFile_becomeTheOneWithMetadata_inTheFirstPosition() {
        ContentPart text = new ContentPart.Text("look");
        ContentPart.Binary mirror = new ContentPart.Binary("image/png", null, null, "aGVsbG8=", "a.png");
        for (List<ContentPart> parts :
                List.of(List.of(image(DATA), text, mirror), List.<ContentPart>of(mirror, text, image(DATA)))) {
            List<ContentPart> once = FileParts.withoutMirrors(parts);
            assertThat(once).hasSize(2).endsWith(text);
            assertThat(once.getFirst()).isInstanceOfSatisfying(ContentPart.Media.class, media -> {
                assertThat(media.source()).isEqualTo(DATA);
                assertThat(String.valueOf(media.metadata())).contains("a.png");
            });
        }
    }

    @Test
    void differentFilesAndRepeatedTexts_stay() {
        List<ContentPart> parts = List.of(
                new ContentPart.Text("a"),
                new ContentPart.Text("a"),
                image(DATA),
                image(new ContentPart.InlineSource("AAAA", "image/png")),
                image(new ContentPart.UrlSource("aGVsbG8=", "image/png")));
        assertThat(FileParts.withoutMirrors(parts)).isEqualTo(parts);
    }

    /** A data URL stored as a URL would be shown to all readers as it is, and some are larger than a frame may be. */
    @ParameterizedTest
    @ValueSource(strings = {"data:image/png;base64,aGVsbG8=", "DATA:image/png;charset=utf-8;base64,aGVsbG8="})
    void dataUrl_becomesAnInlineSource(String url) {
        assertThat(FileParts.withoutMirrors(List.of(image(new ContentPart.UrlSource(url, null)))))
                .containsExactly(image(DATA));
        assertThat(FileParts.withoutMirrors(List.of(new ContentPart.Binary("image/png", null, url, null, null))))
                .containsExactly(image(DATA));
        assertThat(FileParts.withoutMirrors(List.of(image(DATA), image(new ContentPart.UrlSource(url, "image/png")))))
                .containsExactly(image(DATA));
    }

    @Test
    void urlThatContainsADataUrl_staysAsItIs() {
        ContentPart.Media part = image(new ContentPart.UrlSource("https://x/data:image/png;base64,aGVsbG8=", null));
        assertThat(FileParts.withoutMirrors(List.of(part))).containsExactly(part);
    }
}
