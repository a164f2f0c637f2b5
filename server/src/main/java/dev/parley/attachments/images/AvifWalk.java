package dev.parley.attachments.images;

import java.io.IOException;

/**
 * Walks the boxes of an AVIF exactly to the file's end, goes into the few that hold dimensions and places, and checks
 * that what they point at is there. Its depth is that of its methods: nothing recurses.
 */
final class AvifWalk {
    private final FileBytes in;
    private boolean named;
    private boolean described;
    private int width;
    private int height;

    private AvifWalk(FileBytes in) {
        this.in = in;
    }

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        AvifWalk walk = new AvifWalk(in);
        walk.boxes(in.length(), walk::top);
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

    private void top(Box box) throws IOException, BrokenImage {
        switch (box.type()) {
            case "ftyp" -> {
                // A second one is the beginning of another file.
                if (named) {
                    throw BrokenImage.somethingBehind();
                }
                named = true;
            }
            case "meta" -> meta(box);
            case "moov" -> boxes(box.end(), this::film);
            default -> {} // Media, free space, and what later versions may add.
        }
    }

    private void meta(Box meta) throws IOException, BrokenImage {
        if (described) {
            throw new BrokenImage("it describes itself twice");
        }
        described = true;
        skip(4, meta); // version and flags
        ItemPlaces places = new ItemPlaces(in);
        boxes(meta.end(), box -> {
            switch (box.type()) {
                case "iprp" -> boxes(box.end(), this::properties);
                case "iloc" -> places.read(box);
                case "idat" -> places.inlineLength(box.end() - in.position());
                default -> {}
            }
        });
        places.requirePicture();
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

    /** An animation's frames are as large as its tracks, which need not be as large as the still picture. */
    private void film(Box box) throws IOException, BrokenImage {
        if (box.type().equals("trak")) {
            boxes(box.end(), part -> {
                if (part.type().equals("tkhd")) {
                    // The last two members, as whole numbers with a fraction of 16 bits.
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
