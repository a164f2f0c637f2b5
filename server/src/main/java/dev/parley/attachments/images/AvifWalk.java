package dev.parley.attachments.images;

import java.io.IOException;

/**
 * Walks the boxes of an AVIF (<a href="https://aomediacodec.github.io/av1-avif/">AV1 Image File Format</a>) exactly to
 * the file's end. It enters the few boxes that hold dimensions and locations, and checks that the locations are inside
 * the file. No method recurses, so the depth is fixed.
 */
final class AvifWalk {
    private final FileBytes in;
    private boolean hasFileType;
    private boolean hasMeta;
    private int width;
    private int height;

    private AvifWalk(FileBytes in) {
        this.in = in;
    }

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        AvifWalk walk = new AvifWalk(in);
        walk.boxes(in.length(), walk::topLevel);
        if (walk.width < 1) {
            throw new BrokenImage("it holds no picture");
        }
        return new Probe.Image(ImageType.AVIF, walk.width, walk.height);
    }

    private void boxes(long end, Visitor visitor) throws IOException, BrokenImage {
        while (in.position() < end) {
            Box box = Box.next(in, end);
            visitor.visit(box);
            in.seek(box.end());
        }
    }

    private void topLevel(Box box) throws IOException, BrokenImage {
        switch (box.type()) {
            case "ftyp" -> {
                // A second box of this type begins another file.
                if (hasFileType) {
                    throw BrokenImage.trailingData();
                }
                hasFileType = true;
            }
            case "meta" -> meta(box);
            case "moov" -> boxes(box.end(), this::movie);
            default -> {} // Media, free space, and boxes of later versions.
        }
    }

    private void meta(Box meta) throws IOException, BrokenImage {
        if (hasMeta) {
            throw new BrokenImage("it describes itself twice");
        }
        hasMeta = true;
        skip(4, meta); // version and flags
        ItemLocations locations = new ItemLocations(in);
        boxes(meta.end(), box -> {
            switch (box.type()) {
                case "iprp" -> boxes(box.end(), this::properties);
                case "iloc" -> locations.read(box);
                case "idat" -> locations.inlineLength(box.end() - in.position());
                default -> {}
            }
        });
        locations.requirePicture();
    }

    private void properties(Box box) throws IOException, BrokenImage {
        if (box.type().equals("ipco")) {
            boxes(box.end(), property -> {
                if (property.type().equals("ispe")) {
                    skip(4, property);
                    requireInside(8, property);
                    dimensions(in.u32(), in.u32());
                }
            });
        }
    }

    /** The frames of an animation have the size of its tracks, which may differ from the size of the still picture. */
    private void movie(Box box) throws IOException, BrokenImage {
        if (box.type().equals("trak")) {
            boxes(box.end(), part -> {
                if (part.type().equals("tkhd")) {
                    // The last two fields are fixed-point numbers with a fraction of 16 bits.
                    in.seek(Math.max(in.position(), part.end() - 8));
                    requireInside(8, part);
                    long trackWidth = in.u32() >> 16;
                    long trackHeight = in.u32() >> 16;
                    if (trackWidth > 0 && trackHeight > 0) {
                        dimensions(trackWidth, trackHeight);
                    }
                }
            });
        }
    }

    private void dimensions(long itemWidth, long itemHeight) throws BrokenImage {
        if (itemWidth < 1 || itemHeight < 1 || itemWidth > Integer.MAX_VALUE || itemHeight > Integer.MAX_VALUE) {
            throw BrokenImage.impossibleDimensions();
        }
        if (itemWidth * itemHeight > (long) width * height) {
            width = (int) itemWidth;
            height = (int) itemHeight;
        }
    }

    private void skip(int count, Box box) throws BrokenImage {
        requireInside(count, box);
        in.skip(count);
    }

    private void requireInside(int count, Box box) throws BrokenImage {
        if (count > box.end() - in.position()) {
            throw new BrokenImage("a box is too short");
        }
    }

    private interface Visitor {
        void visit(Box box) throws IOException, BrokenImage;
    }
}
