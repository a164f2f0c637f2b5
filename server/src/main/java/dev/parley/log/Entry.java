package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item of a thread's log: a message, or a revision of one, at its seq and position.
 *
 * @param staleLag the number of messages of others that the author had missed; null if the author named no base seq
 * @param engagement the decisions whether the thread's agents should answer
 * @param erasedAt the time since which only the entry's seq, keys and digest are left; null for nearly all entries
 */
public record Entry(
        ThreadId thread,
        long seq,
        long position,
        Instant createdAt,
        Digest digest,
        EntryContent content,
        @Nullable Integer staleLag,
        List<Engagement> engagement,
        @Nullable Instant erasedAt) {

    /** An entry that is not erased. */
    public Entry(
            ThreadId thread,
            long seq,
            long position,
            Instant createdAt,
            Digest digest,
            EntryContent content,
            @Nullable Integer staleLag,
            List<Engagement> engagement) {
        this(thread, seq, position, createdAt, digest, content, staleLag, engagement, null);
    }

    /** The same entry with other metadata for readers, but with its digest from the log. */
    public Entry about(@Nullable String metadata) {
        return new Entry(
                thread,
                seq,
                position,
                createdAt,
                digest,
                content.withMetadata(metadata),
                staleLag,
                engagement,
                erasedAt);
    }

    public boolean isErased() {
        return erasedAt != null;
    }

    /** Makes content the next entry after a head. The digest covers the seq and all content that a reader is shown. */
    static Entry place(EntryContent content, Digest salt, Head head, Instant createdAt, @Nullable Integer staleLag) {
        long seq = head.lastSeq() + 1;
        Digest.Builder digest = new Digest.Builder()
                .add(salt)
                .add(head.thread().toString())
                .add(seq)
                .add(createdAt.getEpochSecond())
                .add(createdAt.getNano())
                .add(content.id())
                .add(content.kind().number())
                .add(orNone(content.targetSeq()))
                .add(content.author().value())
                .add(content.role().wire())
                .add(content.text())
                .add(content.metadata())
                .add(content.replyTo())
                .add(content.clientMessageId())
                .add(orNone(content.baseSeq()))
                .add(orNone(content.latestSeenSeq()))
                .add(content.mentions().size());
        for (Actor mention : content.mentions()) {
            digest.add(mention.value());
        }
        return new Entry(
                head.thread(), seq, head.lastPosition() + 1, createdAt, digest.finish(), content, staleLag, List.of());
    }

    private static long orNone(@Nullable Long seq) {
        return seq == null ? -1 : seq;
    }

    Entry engaging(List<Engagement> agents) {
        return agents.isEmpty()
                ? this
                : new Entry(thread, seq, position, createdAt, digest, content, staleLag, List.copyOf(agents), erasedAt);
    }
}
