package dev.parley.attachments.images;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/** The pieces of image files, for samples that no encoder would write. */
final class Pieces {
    private Pieces() {}

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    static byte[] u16(int value) {
        return bytes(value >> 8, value);
    }

    static byte[] u32(long value) {
        return ByteBuffer.allocate(4).putInt((int) value).array();
    }

    static byte[] u32Little(long value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) value)
                .array();
    }

    static byte[] u24Little(int value) {
        return Arrays.copyOf(u32Little(value), 3);
    }

    static byte[] cut(byte[] bytes, int length) {
        return Arrays.copyOf(bytes, length);
    }

    static byte[] withoutLast(int count, byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length - count);
    }

    /** The bytes between two offsets. */
    static byte[] between(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    static byte[] patched(byte[] bytes, int at, byte... patch) {
        byte[] patched = bytes.clone();
        System.arraycopy(patch, 0, patched, at, patch.length);
        return patched;
    }

    static byte[] inserted(byte[] bytes, int at, byte[] piece) {
        return join(cut(bytes, at), piece, between(bytes, at, bytes.length));
    }

    static int indexOf(byte[] bytes, String text) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    static byte[] pngChunk(String type, byte[] body) {
        byte[] named = join(ascii(type), body);
        CRC32 crc = new CRC32();
        crc.update(named);
        return join(u32(body.length), named, u32(crc.getValue()));
    }

    static byte[] jpegSegment(int marker, byte[] body) {
        return join(bytes(0xff, marker), u16(body.length + 2), body);
    }

    static byte[] box(String type, byte[]... contents) {
        byte[] body = join(contents);
        return join(u32(body.length + 8), ascii(type), body);
    }

    static byte[] riffChunk(String type, byte[]... contents) {
        byte[] body = join(contents);
        return join(ascii(type), u32Little(body.length), body, new byte[body.length & 1]);
    }

    static byte[] webpFile(byte[]... chunks) {
        byte[] body = join(ascii("WEBP"), join(chunks));
        return join(ascii("RIFF"), u32Little(body.length), body);
    }

    static byte[] resource(String name) {
        try (InputStream in = Pieces.class.getResourceAsStream("/images/" + name)) {
            if (in == null) {
                throw new IllegalStateException("There is no sample " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
