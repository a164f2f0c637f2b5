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

/** Keeps the files that come with messages, as objects of the key's owner. */
final class IngestFiles {
    private final Attachments attachments;
    private final int most;

    /** @param most files of one message */
    IngestFiles(Attachments attachments, int most) {
        this.attachments = attachments;
        this.most = most;
    }

    /** The files of one message, kept. */
    record StoredFiles(List<MessageFiles.MessageFile> shown) {
        List<StoredObject> objects() {
            return shown.stream().map(MessageFiles.MessageFile::object).toList();
        }
    }

    void requireFew(List<InboundMessage.File> files) {
        if (files.size() > most) {
            throw ProblemException.invalidField("attachments", "are more than the limit of " + most);
        }
    }

    /**
     * All of them, or none.
     *
     * @param thread null if it is not known yet
     */
    StoredFiles keep(Principal.User owner, @Nullable ThreadId thread, List<InboundMessage.File> files) {
        StoredFiles kept = new StoredFiles(new ArrayList<>());
        try {
            for (InboundMessage.File file : files) {
                kept.shown().add(keep(owner, thread, file));
            }
        } catch (ProblemException refused) {
            forget(kept);
            throw refused;
        }
        return kept;
    }

    /** One alone. */
    MessageFiles.MessageFile keep(Principal.User owner, @Nullable ThreadId thread, InboundMessage.File file) {
        String filed = thread == null ? null : thread.toString();
        StoredObject object = attachments.keepPart(
                owner, file.bytes(), new Attachments.Label(filed, null, file.name(), file.mimeType()));
        return new MessageFiles.MessageFile(object, file.name(), null);
    }

    /** What a message would have shown that was not stored. */
    void forget(StoredFiles kept) {
        attachments.forget(kept.objects());
    }
}
