package dev.parley.attachments.images;

import static dev.parley.attachments.images.Pieces.ascii;
import static dev.parley.attachments.images.Pieces.box;
import static dev.parley.attachments.images.Pieces.bytes;
import static dev.parley.attachments.images.Pieces.join;
import static dev.parley.attachments.images.Pieces.pngChunk;
import static dev.parley.attachments.images.Pieces.u16;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.attachments.images.SampleImages.Hostile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostileImagesTest {
    private static final int MUTATIONS = 20_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("dev.parley.attachments.images.SampleImages#hostile")
    void hostileFileIsNoImage(Hostile hostile) throws IOException {
        Path file = Files.write(folder.resolve("file"), hostile.bytes());

        assertThat(Images.probe(file)).isNotInstanceOf(Probe.Image.class);
    }

    @Test
    void otherKindsAreNamed() throws IOException {
        for (var other : HostileSamples.otherKinds().entrySet()) {
            int comma = other.getKey().indexOf(',');
            String kind = comma < 0 ? other.getKey() : other.getKey().substring(0, comma);
            assertThat(probe(other.getValue())).isEqualTo(new Probe.Other(kind));
        }
    }

    @ParameterizedTest
    @EnumSource
    void dataAfterTheImageIsTheFault(ImageType type) throws IOException {
        // In AVIF the other data is read as an impossible box.
        String reason = type == ImageType.AVIF ? "" : "other data follows the image's end.";
        assertThat(probe(join(HostileSamples.good(type), ascii("<html>"))))
                .isInstanceOfSatisfying(
                        Probe.Broken.class,
                        broken -> assertThat(broken.sentence())
                                .startsWith("The " + type + " image is not whole: ")
                                .endsWith(reason));
    }

    @Test
    void polyglotIsNamed() throws IOException {
        byte[] png = SampleImages.png(16, 8);
        byte[] archive = pngChunk("tEXt", HostileSamples.zip("a comment"));
        assertThat(probe(Pieces.inserted(png, png.length - 12, archive)))
                .isEqualTo(new Probe.Broken("The file is a PNG image and a ZIP archive at once."));
    }

    @ParameterizedTest
    @MethodSource("wholeFiles")
    void truncatedImageIsNoImage(Hostile sample) throws IOException {
        assertThat(probe(sample.bytes())).isInstanceOf(Probe.Image.class);
        for (int length = 0; length < sample.bytes().length; length++) {
            assertThat(probe(Pieces.cut(sample.bytes(), length)))
                    .as("%s cut to %d bytes", sample, length)
                    .isNotInstanceOf(Probe.Image.class);
        }
    }

    @ParameterizedTest
    @MethodSource("wholeFiles")
    void everyByteOfTheHeadMayHaveAnyValue(Hostile sample) {
        for (int at = 0; at < Math.min(64, sample.bytes().length); at++) {
            for (int value : List.of(0, 1, 0x7f, 0x80, 0xff, ~sample.bytes()[at] & 0xff)) {
                byte[] flipped = Pieces.patched(sample.bytes(), at, (byte) value);
                assertThatCode(() -> probe(flipped))
                        .as("%s with %d at %d", sample, value, at)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void mutationsNeitherThrowNorLoop() {
        long seed = 20_260_101;
        Random random = new Random(seed);
        List<Hostile> samples = wholeFiles();
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (int round = 0; round < MUTATIONS; round++) {
                Hostile sample = samples.get(random.nextInt(samples.size()));
                byte[] mutated = mutated(sample.bytes(), random);
                assertThatCode(() -> probe(mutated))
                        .as("seed %d, round %d, %s", seed, round, sample)
                        .doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void tablesWithFalseCountsTakeNoTime(int version) {
        // Very many tables, each of which claims very many empty extents.
        byte[] claims = join(bytes(version, 0, 0, 0, 0, 0), u16(0xffff), u16(0xffff), u16(0xffff), u16(0xffff));
        List<byte[]> tables = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            tables.add(box("iloc", claims));
        }
        byte[] file = join(
                box("ftyp", ascii("avif\0\0\0\0avif")), box("meta", new byte[4], join(tables.toArray(byte[][]::new))));
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(probe(file)).isInstanceOf(Probe.Broken.class));
    }

    @Test
    void fileShortenedMeanwhileIsCutOff() throws IOException {
        byte[] jpeg = SampleImages.jpeg(16, 8);
        FileBytes shrunk = new FileBytes((into, from) -> read(jpeg, into, from), jpeg.length + 100L);

        assertThat(Images.probe(shrunk)).isEqualTo(new Probe.Broken("The JPEG image is not whole: it is cut off."));
    }

    @Test
    void locationOutsideTheFileIsNoPicture() throws IOException {
        byte[] avif = SampleImages.avif(16, 8);
        int length = Pieces.indexOf(avif, "iloc") + 4 + 4 + 2 + 2 + 2 + 2 + 2 + 4 + 3;
        assertThat(probe(Pieces.patched(avif, length, (byte) (avif[length] + 1))))
                .isEqualTo(new Probe.Broken("The AVIF image is not whole: it is cut off."));
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        for (int change = random.nextInt(1, 5); change > 0; change--) {
            int at = random.nextInt(mutated.length);
            switch (random.nextInt(4)) {
                case 0 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutated[at] = (byte) random.nextInt();
                case 2 -> mutated = Pieces.inserted(mutated, at, Pieces.between(mutated, at / 2, at));
                default -> mutated = Pieces.cut(mutated, at + 1);
            }
        }
        return mutated;
    }

    private static List<Hostile> wholeFiles() {
        List<Hostile> files = new ArrayList<>();
        for (ImageType type : ImageType.values()) {
            files.add(new Hostile("a " + type, HostileSamples.good(type), type.mimeType()));
        }
        for (String name : List.of(
                "lossy.webp",
                "alpha.webp",
                "animated.webp",
                "alpha.avif",
                "animated.avif",
                "animated.gif",
                "animated.png",
                "progressive.jpg",
                "restarts.jpg")) {
            files.add(new Hostile(name, Pieces.resource(name), ""));
        }
        return files;
    }

    private static Probe probe(byte[] bytes) throws IOException {
        return Images.probe(new FileBytes((into, from) -> read(bytes, into, from), bytes.length));
    }

    /** Reads like a file channel; files would take very many system calls. */
    private static int read(byte[] bytes, ByteBuffer into, long from) {
        int count = Math.min(into.remaining(), bytes.length - (int) from);
        if (count <= 0) {
            return -1;
        }
        into.put(bytes, (int) from, count);
        return count;
    }
}
