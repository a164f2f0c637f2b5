package dev.parley.attachments.images;

import java.io.IOException;

/**
 * The table of an AVIF that locates its items. Every location must be inside the file. Otherwise a file that was cut
 * between two boxes would look whole.
 */
final class ItemLocations {
    private static final int IN_FILE = 0;
    private static final int INLINE = 1;

    private final FileBytes in;
    private boolean picture;
    private long inlineLength;
    private long inlineNeeded;

    ItemLocations(FileBytes in) {
        this.in = in;
    }

    void inlineLength(long length) {
        inlineLength = length;
    }

    void requirePicture() throws BrokenImage {
        if (!picture) {
            throw new BrokenImage("it holds no picture");
        }
        if (inlineNeeded > inlineLength) {
            throw BrokenImage.cutOff();
        }
    }

    void read(Box box) throws IOException, BrokenImage {
        requireInside(8, box);
        int version = in.u8();
        in.skip(3); // flags
        int sizes = in.u16();
        Table table = new Table(version, sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15, sizes & 15);
        if (version > 2 || !table.sane()) {
            throw damaged();
        }
        long items = version < 2 ? in.u16() : in.u32();
        for (long item = 0; item < items; item++) {
            requireInside(1, box);
            item(table, box);
        }
    }

    private void item(Table table, Box box) throws IOException, BrokenImage {
        in.skip(table.version < 2 ? 2 : 4); // id
        int method = table.version == 0 ? IN_FILE : in.u16() & 15;
        in.skip(2); // data reference
        long base = number(table.baseSize);
        int extents = in.u16();
        // The size of the box would not limit a loop over empty extents.
        if (extents > 1 && table.extentSize() == 0) {
            throw damaged();
        }
        requireInside((long) extents * table.extentSize(), box);
        for (int extent = 0; extent < extents; extent++) {
            if (table.version > 0) {
                in.skip(table.indexSize);
            }
            extent(method, base, number(table.offsetSize), number(table.lengthSize));
        }
    }

    private void extent(int method, long base, long offset, long length) throws BrokenImage {
        long limit = in.length();
        if (base > limit || offset > limit - base || length > limit - base - offset) {
            throw BrokenImage.cutOff();
        }
        if (method == INLINE) {
            inlineNeeded = Math.max(inlineNeeded, base + offset + length);
        }
        picture |= length > 0;
    }

    private long number(int size) throws IOException, BrokenImage {
        long number = switch (size) {
            case 0 -> 0;
            case 4 -> in.u32();
            default -> in.u64();
        };
        if (number < 0) {
            throw BrokenImage.cutOff();
        }
        return number;
    }

    private void requireInside(long count, Box box) throws BrokenImage {
        if (count > box.end() - in.position()) {
            throw damaged();
        }
    }

    private static BrokenImage damaged() {
        return new BrokenImage("its table of items is damaged");
    }

    private record Table(int version, int offsetSize, int lengthSize, int baseSize, int indexSize) {
        boolean sane() {
            return fits(offsetSize) && fits(lengthSize) && fits(baseSize) && (version == 0 || fits(indexSize));
        }

        int extentSize() {
            return offsetSize + lengthSize + (version == 0 ? 0 : indexSize);
        }

        private static boolean fits(int size) {
            return size == 0 || size == 4 || size == 8;
        }
    }
}
