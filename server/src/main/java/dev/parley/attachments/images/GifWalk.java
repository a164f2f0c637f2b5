package dev.parley.attachments.images;

import java.io.IOException;

/**
 * Walks the blocks of a GIF (<a href="https://www.w3.org/Graphics/GIF/spec-gif89a.txt">GIF89a</a>) to its trailer,
 * which must be the file's last byte. Frames may reach beyond the screen, and viewers then draw more than the screen.
 * Therefore the dimensions include all frames.
 */
final class GifWalk {
    private static final int EXTENSION = 0x21;
    private static final int FRAME = 0x2c;
    private static final int TRAILER = 0x3b;

    private final FileBytes in;
    private int width;
    private int height;
    private boolean picture;

    private GifWalk(FileBytes in) {
        this.in = in;
    }

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        return new GifWalk(in).walk();
    }

    private Probe.Image walk() throws IOException, BrokenImage {
        in.skip("GIF89a".length());
        width = in.u16Little();
        height = in.u16Little();
        if (width < 1 || height < 1) {
            throw BrokenImage.impossibleDimensions();
        }
        int flags = in.u8();
        in.skip(2); // background colour, aspect ratio
        skipColours(flags);
        while (true) {
            switch (in.u8()) {
                case EXTENSION -> {
                    in.skip(1);
                    skipSubBlocks();
                }
                case FRAME -> frame();
                case TRAILER -> {
                    return end();
                }
                default -> throw new BrokenImage("it holds a block that is none of a GIF's");
            }
        }
    }

    private void frame() throws IOException, BrokenImage {
        int left = in.u16Little();
        int top = in.u16Little();
        int frameWidth = in.u16Little();
        int frameHeight = in.u16Little();
        if (frameWidth < 1 || frameHeight < 1) {
            throw BrokenImage.impossibleDimensions();
        }
        width = Math.max(width, left + frameWidth);
        height = Math.max(height, top + frameHeight);
        skipColours(in.u8());
        int codeSize = in.u8();
        if (codeSize < 1 || codeSize > 11 || !skipSubBlocks()) {
            throw new BrokenImage("one of its frames is damaged");
        }
        picture = true;
    }

    private void skipColours(int flags) throws BrokenImage {
        if ((flags & 0x80) != 0) {
            in.skip(3L << ((flags & 7) + 1));
        }
    }

    /** True if any sub-block had data. */
    private boolean skipSubBlocks() throws IOException, BrokenImage {
        boolean any = false;
        for (int size = in.u8(); size > 0; size = in.u8()) {
            in.skip(size);
            any = true;
        }
        return any;
    }

    private Probe.Image end() throws BrokenImage {
        if (!picture) {
            throw new BrokenImage("it holds no picture");
        }
        if (in.remaining() > 0) {
            throw BrokenImage.trailingData();
        }
        return new Probe.Image(ImageType.GIF, width, height);
    }
}
