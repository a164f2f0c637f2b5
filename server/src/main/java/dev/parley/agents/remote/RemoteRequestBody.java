package dev.parley.agents.remote;

import dev.parley.agents.Turn;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * A request's JSON whose images are read and encoded while they are sent. Twenty images may have hundreds of megabytes;
 * they are never in memory together.
 */
final class RemoteRequestBody {
    /** Bytes read at once; a multiple of three, so that base64 needs no padding in between. */
    private static final int STRETCH = 24 * 1024;

    private final List<Supplier<InputStream>> pieces;
    private final long bytes;

    private RemoteRequestBody(List<Supplier<InputStream>> pieces, long bytes) {
        this.pieces = List.copyOf(pieces);
        this.bytes = bytes;
    }

    long bytes() {
        return bytes;
    }

    BodyPublisher publisher() {
        // The length is given, because some servers refuse chunked bodies.
        return BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(this::open), bytes);
    }

    InputStream open() {
        return new Joined(pieces.iterator());
    }

    /** Hands out markers for images, and later replaces the markers by the images. */
    static final class Builder {
        private final String prefix;
        private final List<Turn.Image> images = new ArrayList<>();

        /** @param prefix the start of every marker: an unguessable text without characters that JSON escapes */
        Builder(String prefix) {
            this.prefix = prefix;
        }

        String markerFor(Turn.Image image) {
            images.add(image);
            return prefix + (images.size() - 1) + ";";
        }

        RemoteRequestBody build(String json) {
            List<Supplier<InputStream>> pieces = new ArrayList<>();
            long bytes = 0;
            int from = 0;
            for (int i = 0; i < images.size(); i++) {
                Turn.Image image = images.get(i);
                String marker = prefix + i + ";";
                int at = json.indexOf(marker, from);
                bytes += text(json.substring(from, at), pieces);
                pieces.add(() -> new Encoded(image.content().get()));
                bytes += 4 * ((image.bytes() + 2) / 3);
                from = at + marker.length();
            }
            bytes += text(json.substring(from), pieces);
            return new RemoteRequestBody(pieces, bytes);
        }

        private static int text(String text, List<Supplier<InputStream>> pieces) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            pieces.add(() -> new ByteArrayInputStream(bytes));
            return bytes.length;
        }
    }

    /** The pieces in order, each opened when the one before it ends. */
    private static final class Joined extends InputStream {
        private final Iterator<Supplier<InputStream>> following;
        private InputStream current = InputStream.nullInputStream();

        Joined(Iterator<Supplier<InputStream>> pieces) {
            this.following = pieces;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = current.read(into, from, length);
            while (count < 0 && following.hasNext()) {
                current.close();
                current = following.next().get();
                count = current.read(into, from, length);
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            current.close();
        }
    }

    /** The bytes of a stream as base64. */
    private static final class Encoded extends InputStream {
        private final InputStream source;
        private byte[] ready = new byte[0];
        private int next;

        Encoded(InputStream source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            return fill() ? ready[next++] : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, ready.length - next);
            System.arraycopy(ready, next, into, from, count);
            next += count;
            return count;
        }

        private boolean fill() throws IOException {
            if (next == ready.length) {
                ready = Base64.getEncoder().encode(source.readNBytes(STRETCH));
                next = 0;
            }
            return ready.length > 0;
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}
