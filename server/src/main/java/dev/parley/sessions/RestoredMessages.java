package dev.parley.sessions;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages with their media, ready to be written. Their length is known before they are written, so that an answer can
 * be limited.
 */
public final class RestoredMessages {
    /**
     * Bytes that are encoded at a time: a multiple of three, so that the base64 of each stretch continues the base64 of
     * the previous stretch.
     */
    private static final int STRETCH = 48 * 1024;

    private final List<Restored> messages;
    private final Attachments attachments;

    private RestoredMessages(List<Restored> messages, Attachments attachments) {
        this.messages = messages;
        this.attachments = attachments;
    }

    private record Restored(byte[] stored, List<Filling> fillings) {
        long size() {
            return stored.length + fillings.stream().mapToLong(Filling::adds).sum();
        }
    }

    /** A replacement for a range of the stored text. */
    private sealed interface Filling {
        int from();

        int to();

        /** The bytes that the replacement adds to the text. */
        long adds();

        /** The medium's base64, between quotes that the text already contains. */
        record Bytes(Medium medium, StoredObject object) implements Filling {
            @Override
            public int from() {
                return medium.at();
            }

            @Override
            public int to() {
                return medium.at();
            }

            @Override
            public long adds() {
                return medium.encodedBytes();
            }
        }

        /** A field that refers to the medium. */
        record Member(int from, int to, byte[] text) implements Filling {
            @Override
            public long adds() {
                return (long) text.length - (to - from);
            }
        }
    }

    /**
     * @param shown the objects whose bytes are inlined
     * @param links the links of the other objects
     */
    static RestoredMessages of(
            List<StoredMessage> messages,
            MediaMode mode,
            Attachments attachments,
            Map<ObjectKey, StoredObject> shown,
            Map<ObjectKey, String> links) {
        List<Restored> restored = new ArrayList<>();
        for (StoredMessage message : messages) {
            List<Filling> fillings = new ArrayList<>();
            for (Medium medium : message.media()) {
                fillings.add(
                        medium.isInlined(mode)
                                ? new Filling.Bytes(medium, require(shown.get(medium.key())))
                                : new Filling.Member(
                                        medium.start(),
                                        medium.end(),
                                        MediaLink.member(mode, medium, require(links.get(medium.key())))));
            }
            restored.add(new Restored(message.json(), fillings));
        }
        return new RestoredMessages(restored, attachments);
    }

    private static <T> T require(@Nullable T found) {
        if (found == null) {
            throw new ProblemException(Problem.STORAGE_UNAVAILABLE, "An image or file of a message cannot be found.");
        }
        return found;
    }

    /** Bytes of one message. */
    long size(int index) {
        return messages.get(index).size();
    }

    /** Bytes of all messages together. */
    public long size() {
        return messages.stream().mapToLong(Restored::size).sum();
    }

    /**
     * Writes one message. Throws if the store has lost the bytes of a medium or cannot be reached. Never writes a
     * shortened message.
     */
    public void write(int index, OutputStream out) throws IOException {
        Restored message = messages.get(index);
        int written = 0;
        for (Filling filling : message.fillings()) {
            out.write(message.stored(), written, filling.from() - written);
            switch (filling) {
                case Filling.Bytes bytes -> encode(bytes.object(), out);
                case Filling.Member member -> out.write(member.text());
            }
            written = filling.to();
        }
        out.write(message.stored(), written, message.stored().length - written);
    }

    private void encode(StoredObject object, OutputStream out) throws IOException {
        byte[] stretch = new byte[(int) Math.min(STRETCH, object.bytes())];
        Base64.Encoder encoder = Base64.getEncoder();
        try (InputStream bytes = attachments.open(object, 0, object.bytes())) {
            int read;
            while ((read = bytes.readNBytes(stretch, 0, stretch.length)) > 0) {
                out.write(encoder.encode(read == stretch.length ? stretch : Arrays.copyOf(stretch, read)));
            }
        }
    }
}
