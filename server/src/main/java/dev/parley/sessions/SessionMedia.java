package dev.parley.sessions;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.attachments.images.ImageType;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The media of sessions, stored as objects of the caller that posts them, and restored into their messages. */
final class SessionMedia {
    private static final int MAX_FILENAME = 255;

    private final Attachments attachments;
    private final int maxId;

    public SessionMedia(Attachments attachments, int maxId) {
        this.attachments = attachments;
        this.maxId = maxId;
    }

    /**
     * The stored media of one message.
     *
     * @param media the media that are stored beside the text from which they were cut
     * @param shown the same media for the entry's metadata, where other faces find them
     */
    record StoredMedia(List<Medium> media, List<MessageFiles.MessageFile> shown) {
        List<StoredObject> objects() {
            return shown.stream().map(MessageFiles.MessageFile::object).toList();
        }
    }

    /** Stores all media of a message, or none. */
    StoredMedia keep(Principal caller, ThreadId thread, MediaCutter.Cut cut) {
        List<Medium> media = new ArrayList<>();
        List<MessageFiles.MessageFile> shown = new ArrayList<>();
        try {
            for (MediaCutter.Piece piece : cut.pieces()) {
                String filename = filename(piece);
                String id = mediaId(piece);
                StoredObject object = attachments.keepPart(
                        caller,
                        piece.bytes(),
                        new Attachments.Label(thread.toString(), null, filename, declaredType(piece)));
                shown.add(new MessageFiles.MessageFile(object, filename, id));
                media.add(medium(piece, object, id));
            }
        } catch (ProblemException refused) {
            attachments.forget(
                    shown.stream().map(MessageFiles.MessageFile::object).toList());
            throw refused;
        }
        return new StoredMedia(List.copyOf(media), List.copyOf(shown));
    }

    /** Drops the media of a message that was refused. */
    void forget(StoredMedia kept) {
        attachments.forget(kept.objects());
    }

    private static Medium medium(MediaCutter.Piece piece, StoredObject object, @Nullable String id) {
        return new Medium(
                piece.pointer(),
                piece.start(),
                piece.at(),
                piece.end(),
                object.bytes(),
                object.blob().hex(),
                object.key().bucket(),
                object.key().path(),
                object.mimeType(),
                id,
                piece.asItCame());
    }

    /**
     * The type that the client declares, unless it is an image type: images are recognized by their bytes alone, and a
     * wrong declaration is no reason to refuse the message.
     */
    private static @Nullable String declaredType(MediaCutter.Piece piece) {
        String given = piece.mimeType() != null ? piece.mimeType() : typeByFormat(piece);
        return given == null || ImageType.ofMimeType(given).isPresent() ? null : given;
    }

    private static @Nullable String typeByFormat(MediaCutter.Piece piece) {
        MediaKind kind = MediaKind.at(piece.pointer());
        boolean declared = piece.format() != null && (kind == MediaKind.AUDIO || kind == MediaKind.VIDEO);
        return declared ? kind.wire() + "/" + piece.format() : null;
    }

    private static @Nullable String filename(MediaCutter.Piece piece) {
        return piece.filename() == null ? null : Text.startWithin(Text.mended(piece.filename()), MAX_FILENAME);
    }

    private @Nullable String mediaId(MediaCutter.Piece piece) {
        String id = piece.id();
        return id != null && Text.isStorable(id) && Text.isAtMost(id, maxId) ? id : null;
    }

    /** True if a message is the stored message, in one of the forms in which Parley serves it. */
    boolean isSentBack(ObjectNode message, StoredMessage stored) {
        return new SentBack(message, attachments::nameIn).matches(stored);
    }

    /** Messages of one thread from other faces, in Agno's form. They can be restored like all other messages. */
    List<StoredMessage> inAgnoForm(ThreadId thread, List<AgnoMessage> messages) {
        Map<ObjectKey, StoredObject> shown = attachments.shownIn(
                thread,
                messages.stream()
                        .flatMap(each -> each.files().stream())
                        .distinct()
                        .toList());
        return messages.stream().map(each -> each.write(shown)).toList();
    }

    /**
     * Messages of one thread with their media restored, in the same order. Looks up all media at once, and fails for a
     * missing medium before anything is written.
     */
    RestoredMessages restore(ThreadId thread, List<StoredMessage> messages, MediaMode mode) {
        Set<ObjectKey> inside = new LinkedHashSet<>();
        Set<ObjectKey> linked = new LinkedHashSet<>();
        for (StoredMessage message : messages) {
            for (Medium medium : message.media()) {
                (medium.isInlined(mode) ? inside : linked).add(medium.key());
            }
        }
        return RestoredMessages.of(
                messages, mode, attachments, attachments.shownIn(thread, inside), attachments.linksIn(thread, linked));
    }
}
