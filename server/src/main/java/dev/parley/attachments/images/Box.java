package dev.parley.attachments.images;

import java.io.IOException;

/**
 * One box of ISO/IEC 14496-12, on which AVIF and MP4 are based. A size is required, because a box "to the end of the
 * file" would include any data after the image.
 */
record Box(String type, long end) {
    /** Reads the header of a box and stops at its contents. */
    static Box next(FileBytes in, long limit) throws IOException, BrokenImage {
        long from = in.position();
        long size = in.u32();
        String type = in.fourLetters();
        if (size == 1) {
            size = in.u64();
        }
        if (size < in.position() - from) {
            throw new BrokenImage("one of its boxes has no size");
        }
        if (size > limit - from) {
            throw limit == in.length() ? BrokenImage.cutOff() : new BrokenImage("a box reaches out of another");
        }
        return new Box(type, from + size);
    }
}
