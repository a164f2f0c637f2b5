package dev.parley.attachments.images;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Walks the chunks of a PNG (<a href="https://www.w3.org/TR/png-3/">PNG, third edition</a>) from its signature to IEND,
 * which must be the file's last byte.
 */
final class PngWalk {
    private static final long SIGNATURE = 0x89504e470d0a1a0aL;
    private static final int HEADER_LENGTH = 13;
    private static final long CRC_LENGTH = 4;

    private PngWalk() {}

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        if (in.u64() != SIGNATURE) {
            throw new BrokenImage("its signature is damaged");
        }
        Probe.Image image = header(in);
        boolean picture = false;
        while (true) {
            long length = in.u32();
            String type = in.fourLetters();
            if (type.equals("IHDR")) {
                throw new BrokenImage("it has two headers");
            }
            in.skip(length + CRC_LENGTH);
            if (type.equals("IDAT")) {
                picture |= length > 0;
            } else if (type.equals("IEND")) {
                return end(in, image, length, picture);
            }
        }
    }

    private static Probe.Image header(FileBytes in) throws IOException, BrokenImage {
        if (in.u32() != HEADER_LENGTH) {
            throw new BrokenImage("its header is damaged");
        }
        long start = in.position();
        boolean isHeader = in.fourLetters().equals("IHDR");
        long width = in.u32();
        long height = in.u32();
        int depth = in.u8();
        int colour = in.u8();
        int methods = in.u16(); // compression and filter
        int interlace = in.u8();
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.wrap(in.slice(start, 4 + HEADER_LENGTH)));
        if (!isHeader || !sane(depth, colour) || methods != 0 || interlace > 1 || in.u32() != crc.getValue()) {
            throw new BrokenImage("its header is damaged");
        }
        if (width < 1 || height < 1 || width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
            throw BrokenImage.impossibleDimensions();
        }
        return new Probe.Image(ImageType.PNG, (int) width, (int) height);
    }

    private static boolean sane(int depth, int colour) {
        return switch (colour) {
            case 0 -> depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
            case 3 -> depth == 1 || depth == 2 || depth == 4 || depth == 8;
            case 2, 4, 6 -> depth == 8 || depth == 16;
            default -> false;
        };
    }

    private static Probe.Image end(FileBytes in, Probe.Image image, long length, boolean picture) throws BrokenImage {
        if (length != 0) {
            throw new BrokenImage("its end is damaged");
        }
        if (!picture) {
            throw new BrokenImage("it holds no picture");
        }
        if (in.remaining() > 0) {
            throw BrokenImage.trailingData();
        }
        return image;
    }
}
