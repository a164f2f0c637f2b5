package dev.parley.attachments.images;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a file, for walks. A walk reads numbers in sequence, and jumps without reading the skipped bytes. A read
 * or jump beyond the end reports the image as cut off; an {@link IOException} is always a fault of the disk.
 */
final class FileBytes {
    private static final int BUFFER = 16 * 1024;

    private final Source source;
    private final long length;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
    private long bufferStart;

    FileBytes(Source source, long length) {
        this.source = source;
        this.length = length;
    }

    long length() {
        return length;
    }

    long position() {
        return bufferStart + buffer.position();
    }

    long remaining() {
        return length - position();
    }

    void seek(long to) throws BrokenImage {
        if (to < 0 || to > length) {
            throw BrokenImage.cutOff();
        }
        long inBuffer = to - bufferStart;
        if (inBuffer >= 0 && inBuffer <= buffer.limit()) {
            buffer.position((int) inBuffer);
        } else {
            bufferStart = to;
            buffer.position(0).limit(0);
        }
    }

    void skip(long count) throws BrokenImage {
        if (count < 0 || count > remaining()) {
            throw BrokenImage.cutOff();
        }
        seek(position() + count);
    }

    int u8() throws IOException, BrokenImage {
        if (!buffer.hasRemaining()) {
            fill();
        }
        return Byte.toUnsignedInt(buffer.get());
    }

    int u16() throws IOException, BrokenImage {
        return u8() << 8 | u8();
    }

    long u32() throws IOException, BrokenImage {
        return (long) u16() << 16 | u16();
    }

    /** Negative if the number exceeds any file's length. */
    long u64() throws IOException, BrokenImage {
        return u32() << 32 | u32();
    }

    int u16Little() throws IOException, BrokenImage {
        return u8() | u8() << 8;
    }

    int u24Little() throws IOException, BrokenImage {
        return u16Little() | u8() << 16;
    }

    long u32Little() throws IOException, BrokenImage {
        return u16Little() | (long) u16Little() << 16;
    }

    /** The four letters that name chunks and boxes. */
    String fourLetters() throws IOException, BrokenImage {
        byte[] letters = {(byte) u8(), (byte) u8(), (byte) u8(), (byte) u8()};
        for (byte letter : letters) {
            if (letter < ' ' || letter > '~') {
                throw new BrokenImage("one of its parts has no proper name");
            }
        }
        return new String(letters, StandardCharsets.US_ASCII);
    }

    /** The bytes at an offset, fewer at the end of the file. Does not move the position. */
    byte[] slice(long from, int count) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(Math.clamp(length - from, 0, count));
        while (part.hasRemaining() && source.read(part, from + part.position()) > 0) {
            // Reads on until the part is full or the file has ended.
        }
        byte[] bytes = new byte[part.position()];
        part.flip().get(bytes);
        return bytes;
    }

    private void fill() throws IOException, BrokenImage {
        bufferStart += buffer.position();
        buffer.clear().limit((int) Math.min(BUFFER, length - bufferStart));
        int read = buffer.hasRemaining() ? source.read(buffer, bufferStart) : -1;
        buffer.flip();
        // The file may also have been shortened meanwhile.
        if (read <= 0) {
            throw BrokenImage.cutOff();
        }
    }

    /** The source of the bytes, read like a channel: -1 after the end. */
    interface Source {
        int read(ByteBuffer into, long from) throws IOException;
    }
}
