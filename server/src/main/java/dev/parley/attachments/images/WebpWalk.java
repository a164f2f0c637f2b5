package dev.parley.attachments.images;

import java.io.IOException;

/**
 * Walks the chunks of a WebP (<a href="https://www.rfc-editor.org/rfc/rfc9649">RFC 9649</a>), whose RIFF size must
 * match the size of the file. A picture must fit the announced canvas.
 */
final class WebpWalk {
    private static final int RIFF_HEAD = 8;
    private static final int EXTENDED_LENGTH = 10;
    private static final int FRAME_HEAD = 16;

    private final FileBytes in;
    private int width;
    private int height;
    private boolean picture;

    private WebpWalk(FileBytes in) {
        this.in = in;
    }

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        in.skip(4);
        long size = in.u32Little();
        long end = RIFF_HEAD + size + (size & 1);
        if (end > in.length()) {
            throw BrokenImage.cutOff();
        }
        if (end < in.length()) {
            throw BrokenImage.trailingData();
        }
        in.skip(4);
        WebpWalk walk = new WebpWalk(in);
        walk.chunks();
        if (!walk.picture) {
            throw new BrokenImage("it holds no picture");
        }
        return new Probe.Image(ImageType.WEBP, walk.width, walk.height);
    }

    private void chunks() throws IOException, BrokenImage {
        boolean first = true;
        while (in.remaining() > 0) {
            Chunk chunk = chunk(in.length());
            switch (chunk.type) {
                case "VP8X" -> canvas(first, chunk);
                case "VP8 ", "VP8L" -> still(first, size(chunk));
                case "ANMF" -> frame(first, chunk);
                default -> require(!first, "its header is damaged");
            }
            in.seek(chunk.next);
            first = false;
        }
    }

    private void canvas(boolean first, Chunk chunk) throws IOException, BrokenImage {
        require(first && chunk.length() >= EXTENDED_LENGTH, "its header is damaged");
        in.skip(4); // flags
        width = in.u24Little() + 1;
        height = in.u24Little() + 1;
    }

    private void still(boolean first, Size size) throws BrokenImage {
        require(!picture, "it holds more than one picture");
        if (first) {
            width = size.width;
            height = size.height;
        }
        require(size.width == width && size.height == height, "its picture is not as large as announced");
        picture = true;
    }

    private void frame(boolean first, Chunk chunk) throws IOException, BrokenImage {
        require(!first && chunk.length() >= FRAME_HEAD, "one of its frames is damaged");
        int left = 2 * in.u24Little();
        int top = 2 * in.u24Little();
        Size announced = new Size(in.u24Little() + 1, in.u24Little() + 1);
        in.skip(4); // duration and flags
        require(
                left + announced.width <= width && top + announced.height <= height,
                "one of its frames reaches beyond the image");
        boolean drawn = false;
        while (in.position() < chunk.end) {
            Chunk inner = chunk(chunk.end);
            if (inner.type.equals("VP8 ") || inner.type.equals("VP8L")) {
                require(!drawn && size(inner).equals(announced), "one of its frames is not as large as announced");
                drawn = true;
            }
            in.seek(inner.next);
        }
        require(drawn, "one of its frames is empty");
        picture = true;
    }

    /** The dimensions in the picture's own first bytes. */
    private Size size(Chunk chunk) throws IOException, BrokenImage {
        if (chunk.type.equals("VP8L")) {
            require(chunk.length() > 5 && in.u8() == 0x2f, "its picture is damaged");
            long bits = in.u32Little();
            require(bits >> 29 == 0, "its picture is damaged");
            return new Size((int) (bits & 0x3fff) + 1, (int) (bits >> 14 & 0x3fff) + 1);
        }
        require(chunk.length() > 10 && (in.u24Little() & 1) == 0, "its picture is damaged");
        require(in.u8() == 0x9d && in.u8() == 0x01 && in.u8() == 0x2a, "its picture is damaged");
        Size size = new Size(in.u16Little() & 0x3fff, in.u16Little() & 0x3fff);
        if (size.width < 1 || size.height < 1) {
            throw BrokenImage.impossibleDimensions();
        }
        return size;
    }

    private Chunk chunk(long limit) throws IOException, BrokenImage {
        String type = in.fourLetters();
        long length = in.u32Little();
        long start = in.position();
        // Chunks begin at even offsets; the padding byte is not counted in the length.
        long next = start + length + (length & 1);
        require(next <= limit, "a chunk reaches beyond its end");
        return new Chunk(type, start, start + length, next);
    }

    private static void require(boolean holds, String otherwise) throws BrokenImage {
        if (!holds) {
            throw new BrokenImage(otherwise);
        }
    }

    private record Size(int width, int height) {}

    private record Chunk(String type, long start, long end, long next) {
        long length() {
            return end - start;
        }
    }
}
