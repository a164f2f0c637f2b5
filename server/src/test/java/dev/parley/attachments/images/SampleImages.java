package dev.parley.attachments.images;

import static dev.parley.attachments.images.Pieces.ascii;
import static dev.parley.attachments.images.Pieces.bytes;
import static dev.parley.attachments.images.Pieces.indexOf;
import static dev.parley.attachments.images.Pieces.join;
import static dev.parley.attachments.images.Pieces.patched;
import static dev.parley.attachments.images.Pieces.pngChunk;
import static dev.parley.attachments.images.Pieces.riffChunk;
import static dev.parley.attachments.images.Pieces.u32;
import static dev.parley.attachments.images.Pieces.webpFile;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import javax.imageio.ImageIO;

/** Small images of every accepted type, and files that must not pass for one. */
public final class SampleImages {
    private static final byte[] PNG_SIGNATURE = bytes(0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n');

    private SampleImages() {}

    /** A file that must be refused, with the type that its sender declares. */
    public record Hostile(String name, byte[] bytes, String declaredType) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static byte[] png(int width, int height) {
        return png(width, height, new byte[height * (width + 1)], false);
    }

    /** States dimensions for which it holds far too few pixels, like a pixel bomb. */
    public static byte[] pngClaiming(int width, int height) {
        return png(width, height, new byte[64], false);
    }

    public static byte[] pngInterlaced() {
        // An image of one pixel has only the first of the seven passes.
        return png(1, 1, new byte[2], true);
    }

    private static byte[] png(int width, int height, byte[] greyRows, boolean interlaced) {
        byte[] header = join(u32(width), u32(height), bytes(8, 0, 0, 0, interlaced ? 1 : 0));
        return join(
                PNG_SIGNATURE,
                pngChunk("IHDR", header),
                pngChunk("IDAT", deflated(greyRows)),
                pngChunk("IEND", new byte[0]));
    }

    public static byte[] jpeg(int width, int height) {
        return encoded("jpeg", width, height);
    }

    public static byte[] gif(int width, int height) {
        return encoded("gif", width, height);
    }

    /** Lossless and of one colour: each of its five codes has one symbol, so pixels take no bits at all. */
    public static byte[] webp(int width, int height) {
        return webpFile(riffChunk("VP8L", vp8l(width, height)));
    }

    static byte[] vp8l(int width, int height) {
        Bits bits = new Bits();
        bits.put(0x2f, 8).put(width - 1, 14).put(height - 1, 14).put(0, 4); // no alpha, version
        bits.put(0, 3); // no transform, no cache, no groups of codes
        for (int colour : List.of(0x80, 0x40, 0xc0, 0xff)) {
            bits.put(0b101, 3).put(colour, 8);
        }
        bits.put(0b001, 3).put(0, 1); // distance
        return bits.bytes();
    }

    /** A real image of 16×8 whose header states the given dimensions. */
    public static byte[] avif(int width, int height) {
        byte[] real = Pieces.resource("still.avif");
        return patched(real, indexOf(real, "ispe") + 8, join(u32(width), u32(height)));
    }

    /** Files that must not be taken for an image. */
    public static List<Hostile> hostile() {
        return HostileSamples.all();
    }

    private static byte[] encoded(String format, int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < Math.min(width, height); x++) {
            image.setRGB(x, x, 0x3366cc);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, out)) {
                throw new IllegalStateException("There is no encoder for " + format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] deflated(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Bits as WebP packs them: the lowest first. */
    private static final class Bits {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int pending;
        private int count;

        Bits put(int value, int width) {
            for (int bit = 0; bit < width; bit++) {
                pending |= (value >> bit & 1) << count++;
                if (count == 8) {
                    flush();
                }
            }
            return this;
        }

        byte[] bytes() {
            if (count > 0) {
                flush();
            }
            return join(out.toByteArray(), ascii("\0"));
        }

        private void flush() {
            out.write(pending);
            pending = 0;
            count = 0;
        }
    }
}
