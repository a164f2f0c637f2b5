package dev.parley.attachments.images;

import java.io.IOException;
import java.util.Arrays;

/**
 * Walks the segments and scans of a JPEG (<a href="https://www.w3.org/Graphics/JPEG/itu-t81.pdf">ITU-T T.81</a>) to its
 * end. Data that phones append may follow: padding of zeros, whole further JPEGs (depth, gain maps), and the video of a
 * motion photo.
 */
final class JpegWalk {
    private static final int START = 0xd8;
    private static final int END = 0xd9;
    private static final int SCAN = 0xda;
    private static final byte[] VIDEO = {'f', 't', 'y', 'p'};

    private final FileBytes in;
    private int width;
    private int height;

    private JpegWalk(FileBytes in) {
        this.in = in;
    }

    static Probe.Image walk(FileBytes in) throws IOException, BrokenImage {
        Probe.Image image = new JpegWalk(in).picture();
        while (in.remaining() > 0) {
            trailer(in);
        }
        return image;
    }

    private static void trailer(FileBytes in) throws IOException, BrokenImage {
        long from = in.position();
        int next = in.u8();
        while (next == 0 && in.remaining() > 0) {
            next = in.u8();
        }
        if (next == 0) {
            return;
        }
        long at = in.position() - 1;
        if (next == 0xff && in.remaining() > 0 && in.u8() == START) {
            in.seek(at);
            new JpegWalk(in).picture();
        } else if (at - 3 >= from && Arrays.equals(in.slice(at + 1, VIDEO.length), VIDEO)) {
            // The last three zeros are no padding: they begin the size of the video's first box.
            in.seek(at - 3);
            video(in);
        } else {
            throw BrokenImage.trailingData();
        }
    }

    private static void video(FileBytes in) throws IOException, BrokenImage {
        boolean tracks = false;
        while (in.remaining() > 0) {
            Box box = Box.next(in, in.length());
            tracks |= box.type().equals("moov");
            in.seek(box.end());
        }
        if (!tracks) {
            throw BrokenImage.trailingData();
        }
    }

    private Probe.Image picture() throws IOException, BrokenImage {
        in.skip(2);
        boolean scanned = false;
        int marker = marker();
        while (marker != END) {
            if (marker == SCAN) {
                marker = scan();
                scanned = true;
            } else {
                segment(marker);
                marker = marker();
            }
        }
        if (!scanned) {
            throw new BrokenImage("it holds no picture");
        }
        return new Probe.Image(ImageType.JPEG, width, height);
    }

    private int marker() throws IOException, BrokenImage {
        if (in.u8() != 0xff) {
            throw new BrokenImage("a marker is missing");
        }
        return code();
    }

    /** The second byte of a marker; any number of fill bytes may come before it. */
    private int code() throws IOException, BrokenImage {
        int code = in.u8();
        while (code == 0xff) {
            code = in.u8();
        }
        return code;
    }

    private void segment(int marker) throws IOException, BrokenImage {
        // Reserved codes, restarts and a second start are not allowed here.
        if (marker < 0xc0 || isRestart(marker) || marker == START) {
            throw new BrokenImage("a marker stands where it must not");
        }
        long end = end();
        if (isFrame(marker)) {
            frame(end);
        }
        in.seek(end);
    }

    private long end() throws IOException, BrokenImage {
        long from = in.position();
        int length = in.u16();
        if (length < 2) {
            throw new BrokenImage("a segment has no length");
        }
        if (length > in.length() - from) {
            throw BrokenImage.cutOff();
        }
        return from + length;
    }

    private void frame(long end) throws IOException, BrokenImage {
        if (width > 0) {
            throw new BrokenImage("it states its dimensions twice");
        }
        in.skip(1); // precision
        height = in.u16();
        width = in.u16();
        int components = in.u8();
        if (components < 1 || in.position() + 3L * components != end) {
            throw new BrokenImage("its header is damaged");
        }
        if (width < 1 || height < 1) {
            throw BrokenImage.impossibleDimensions();
        }
    }

    /** Reads on to the marker that ends the scan. */
    private int scan() throws IOException, BrokenImage {
        long end = end();
        int components = in.u8();
        if (width < 1 || components < 1 || components > 4 || in.position() + 2L * components + 3 != end) {
            throw new BrokenImage("one of its scans is damaged");
        }
        in.seek(end);
        while (true) {
            if (in.u8() == 0xff) {
                long at = in.position() - 1;
                int code = code();
                if (code != 0 && !isRestart(code)) {
                    if (at == end) {
                        throw new BrokenImage("one of its scans is empty");
                    }
                    return code;
                }
            }
        }
    }

    private static boolean isRestart(int marker) {
        return marker >= 0xd0 && marker <= 0xd7;
    }

    private static boolean isFrame(int marker) {
        return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    }
}
