package dev.parley.ingest;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.StoredObject;
import dev.parley.auth.Principal;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores the files of inbound messages, as objects that belong to the owner of the integration key. */
final class IngestFiles {
    private final Attachments attachments;
    private final int maxFiles;

    /** @param maxFiles limit of the files of one message */
    IngestFiles(Attachments attachments, int maxFiles) {
        this.attachments = attachments;
        this.maxFiles = maxFiles;
    }

    /** The stored files of one message. */
    record StoredFiles(List<MessageFiles.MessageFile> files) {
        List<StoredObject> objects() {
            return files.stream().map(MessageFiles.MessageFile::object).toList();
        }
    }

    void requireFew(List<InboundMessage.File> files) {
        if (files.size() > maxFiles) {
            throw ProblemException.invalidField("attachments", "are more than the limit of " + maxFiles);
        }
    }

    /**
     * Stores all files, or none.
     *
     * @param thread null if it is not known yet
     */
    StoredFiles store(Principal.User owner, @Nullable ThreadId thread, List<InboundMessage.File> files) {
        StoredFiles stored = new StoredFiles(new ArrayList<>());
        try {
            for (InboundMessage.File file : files) {
                stored.files().add(store(owner, thread, file));
            }
        } catch (ProblemException refused) {
            forget(stored);
            throw refused;
        }
        return stored;
    }

    /** Stores one file. */
    MessageFiles.MessageFile store(Principal.User owner, @Nullable ThreadId thread, InboundMessage.File file) {
        String threadId = thread == null ? null : thread.toString();
        StoredObject object = attachments.keepPart(
                owner, file.bytes(), new Attachments.Label(threadId, null, file.name(), file.mimeType()));
        return new MessageFiles.MessageFile(object, file.name(), null);
    }

    /** Deletes the files of a message that was not stored. */
    void forget(StoredFiles stored) {
        attachments.forget(stored.objects());
    }
}
