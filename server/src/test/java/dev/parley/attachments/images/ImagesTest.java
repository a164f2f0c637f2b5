package dev.parley.attachments.images;

import static dev.parley.attachments.images.Pieces.ascii;
import static dev.parley.attachments.images.Pieces.box;
import static dev.parley.attachments.images.Pieces.bytes;
import static dev.parley.attachments.images.Pieces.inserted;
import static dev.parley.attachments.images.Pieces.join;
import static dev.parley.attachments.images.Pieces.jpegSegment;
import static dev.parley.attachments.images.Pieces.patched;
import static dev.parley.attachments.images.Pieces.pngChunk;
import static dev.parley.attachments.images.Pieces.riffChunk;
import static dev.parley.attachments.images.Pieces.u16;
import static dev.parley.attachments.images.Pieces.u24Little;
import static dev.parley.attachments.images.Pieces.webpFile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImagesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"1,1", "16,8", "300,7"})
    void dimensionsAreRead(int width, int height) throws IOException {
        assertThat(probe(SampleImages.png(width, height))).isEqualTo(new Probe.Image(ImageType.PNG, width, height));
        assertThat(probe(SampleImages.jpeg(width, height))).isEqualTo(new Probe.Image(ImageType.JPEG, width, height));
        assertThat(probe(SampleImages.gif(width, height))).isEqualTo(new Probe.Image(ImageType.GIF, width, height));
        assertThat(probe(SampleImages.webp(width, height))).isEqualTo(new Probe.Image(ImageType.WEBP, width, height));
        assertThat(probe(SampleImages.avif(width, height))).isEqualTo(new Probe.Image(ImageType.AVIF, width, height));
    }

    @ParameterizedTest
    @CsvSource({
        "lossy.webp,WEBP,16,8",
        "lossless.webp,WEBP,16,8",
        "alpha.webp,WEBP,16,8",
        "animated.webp,WEBP,16,8",
        "still.avif,AVIF,16,8",
        "alpha.avif,AVIF,16,8",
        "animated.avif,AVIF,16,8",
        "animated.gif,GIF,16,8",
        "animated.png,PNG,16,8",
        "progressive.jpg,JPEG,16,8",
        "restarts.jpg,JPEG,48,32",
        "pair.jpg,JPEG,16,8"
    })
    void filesOfRealEncodersAreRead(String name, ImageType type, int width, int height) throws IOException {
        assertThat(probe(Pieces.resource(name))).isEqualTo(new Probe.Image(type, width, height));
    }

    @Test
    void interlacedPngIsRead() throws IOException {
        assertThat(probe(SampleImages.pngInterlaced())).isEqualTo(new Probe.Image(ImageType.PNG, 1, 1));
    }

    @Test
    void hugeDimensionsAreReadAsStated() throws IOException {
        assertThat(probe(SampleImages.pngClaiming(65535, 65535)))
                .isEqualTo(new Probe.Image(ImageType.PNG, 65535, 65535));
        assertThat(probe(SampleImages.pngClaiming(Integer.MAX_VALUE, 1)))
                .isEqualTo(new Probe.Image(ImageType.PNG, Integer.MAX_VALUE, 1));
        assertThat(probe(SampleImages.avif(Integer.MAX_VALUE, Integer.MAX_VALUE)))
                .isEqualTo(new Probe.Image(ImageType.AVIF, Integer.MAX_VALUE, Integer.MAX_VALUE));
        byte[] jpeg = SampleImages.jpeg(16, 8);
        int frame = Pieces.indexOf(jpeg, "\u00ff\u00c0");
        assertThat(probe(patched(jpeg, frame + 5, bytes(255, 255, 255, 255))))
                .isEqualTo(new Probe.Image(ImageType.JPEG, 65535, 65535));
        assertThat(probe(patched(SampleImages.gif(16, 8), 6, bytes(255, 255, 255, 255))))
                .isEqualTo(new Probe.Image(ImageType.GIF, 65535, 65535));
    }

    @Test
    void dimensionsBeyondIntOrZeroAreImpossible() throws IOException {
        assertImpossible(SampleImages.pngClaiming(Integer.MIN_VALUE, 1));
        assertImpossible(SampleImages.pngClaiming(1, -1));
        assertImpossible(SampleImages.pngClaiming(0, 1));
        assertImpossible(SampleImages.avif(Integer.MIN_VALUE, 1));
        assertImpossible(SampleImages.avif(1, 0));
        assertImpossible(patched(SampleImages.gif(16, 8), 6, bytes(0, 0)));
        byte[] jpeg = SampleImages.jpeg(16, 8);
        assertImpossible(patched(jpeg, Pieces.indexOf(jpeg, "\u00ff\u00c0") + 5, bytes(0, 0)));
        byte[] webp = Pieces.resource("lossy.webp");
        assertImpossible(patched(webp, Pieces.indexOf(webp, "\u009d\1*") + 3, bytes(0, 0)));
    }

    @Test
    void gifFramesBeyondTheScreenCount() throws IOException {
        byte[] gif = SampleImages.gif(16, 8);
        assertThat(probe(patched(gif, 6, bytes(1, 0, 1, 0)))).isEqualTo(new Probe.Image(ImageType.GIF, 16, 8));
    }

    @Test
    void tracksOfAnAnimatedAvifCount() throws IOException {
        byte[] avif = Pieces.resource("animated.avif");
        int track = Pieces.indexOf(avif, "tkhd") - 4;
        int size = (avif[track + 2] & 255) << 8 | avif[track + 3] & 255;
        byte[] larger = patched(avif, track + size - 8, join(u16(4000), u16(0), u16(3000), u16(0)));
        assertThat(probe(larger)).isEqualTo(new Probe.Image(ImageType.AVIF, 4000, 3000));
    }

    @Test
    void thumbnailInAJpegDoesNotEndIt() throws IOException {
        byte[] thumbnail = SampleImages.jpeg(4, 4);
        byte[] exif = jpegSegment(0xe1, join(ascii("Exif\0\0"), thumbnail));
        assertThat(probe(inserted(SampleImages.jpeg(16, 8), 2, exif)))
                .isEqualTo(new Probe.Image(ImageType.JPEG, 16, 8));
    }

    @Test
    void fillBytesBeforeMarkersAreAllowed() throws IOException {
        byte[] jpeg = SampleImages.jpeg(16, 8);
        byte[] filled = inserted(inserted(jpeg, jpeg.length - 2, bytes(0xff, 0xff)), 2, bytes(0xff));
        assertThat(probe(filled)).isEqualTo(new Probe.Image(ImageType.JPEG, 16, 8));
    }

    @Test
    void phonesDataAfterAJpegIsAllowed() throws IOException {
        byte[] jpeg = SampleImages.jpeg(16, 8);
        byte[] gainMap = SampleImages.jpeg(4, 4);
        byte[] film = join(box("ftyp", ascii("mp42\0\0\0\0isom")), box("moov"), box("mdat", new byte[99]));
        Probe expected = new Probe.Image(ImageType.JPEG, 16, 8);
        assertThat(probe(join(jpeg, new byte[1]))).isEqualTo(expected);
        assertThat(probe(join(jpeg, new byte[70_000]))).isEqualTo(expected);
        assertThat(probe(join(jpeg, gainMap))).isEqualTo(expected);
        assertThat(probe(join(jpeg, new byte[8], gainMap, gainMap))).isEqualTo(expected);
        assertThat(probe(join(jpeg, film))).isEqualTo(expected);
        assertThat(probe(join(jpeg, gainMap, new byte[5], film))).isEqualTo(expected);
    }

    @Test
    void textInCommentsDoesNoHarm() throws IOException {
        byte[] script = ascii("<script>alert(1)</script><?php id(); ?>");
        byte[] png = SampleImages.png(16, 8);
        byte[] noted = inserted(png, png.length - 12, pngChunk("tEXt", script));
        assertThat(probe(noted)).isInstanceOf(Probe.Image.class);
        assertThat(probe(inserted(SampleImages.jpeg(16, 8), 2, jpegSegment(0xfe, script))))
                .isInstanceOf(Probe.Image.class);
        byte[] gif = SampleImages.gif(16, 8);
        byte[] comment = join(bytes(0x21, 0xfe, script.length), script, bytes(0));
        assertThat(probe(inserted(gif, gif.length - 1, comment))).isInstanceOf(Probe.Image.class);
    }

    @Test
    void lettersOfAnArchiveInPixelsAreNoArchive() throws IOException {
        byte[] png = SampleImages.png(16, 8);
        byte[] chance = join(ascii("PK\5\6"), bytes(1, 0, 2, 0, 3, 0, 4, 0), new byte[10]);
        byte[] noted = inserted(png, png.length - 12, pngChunk("tEXt", chance));
        assertThat(probe(noted)).isInstanceOf(Probe.Image.class);
    }

    @Test
    void oddWebpChunksArePadded() throws IOException {
        byte[] picture = riffChunk("VP8L", SampleImages.vp8l(16, 8));
        byte[] extended = riffChunk("VP8X", new byte[4], u24Little(15), u24Little(7));
        byte[] whole = webpFile(extended, picture, riffChunk("XMP ", ascii("odd")));
        assertThat(probe(whole)).isEqualTo(new Probe.Image(ImageType.WEBP, 16, 8));
        byte[] counted = patched(whole, 4, Pieces.u32Little(whole.length - 9));
        assertThat(probe(counted)).isEqualTo(new Probe.Image(ImageType.WEBP, 16, 8));
        assertThat(probe(Pieces.withoutLast(1, counted))).isInstanceOf(Probe.Broken.class);
    }

    @Test
    void webpMustHaveItsAnnouncedSize() throws IOException {
        byte[] picture = riffChunk("VP8L", SampleImages.vp8l(16, 8));
        byte[] extended = riffChunk("VP8X", new byte[4], u24Little(14), u24Little(7));
        assertThat(probe(webpFile(extended, picture)))
                .isEqualTo(new Probe.Broken("The WEBP image is not whole: its picture is not as large as announced."));
    }

    @Test
    void missingFileIsAFaultOfTheDisk() {
        assertThatThrownBy(() -> Images.probe(folder.resolve("nothing"))).isInstanceOf(NoSuchFileException.class);
    }

    private void assertImpossible(byte[] bytes) throws IOException {
        assertThat(probe(bytes))
                .isInstanceOfSatisfying(
                        Probe.Broken.class,
                        broken -> assertThat(broken.sentence()).endsWith("its dimensions are impossible."));
    }

    private Probe probe(byte[] bytes) throws IOException {
        return Images.probe(Files.write(folder.resolve("file"), bytes));
    }
}
