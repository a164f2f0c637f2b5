package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was said, at its place in a thread's log.
 *
 * @param staleLag how many messages of others the author had missed; null if it did not say what it had read
 * @param engagement which agents of the thread should answer
 * @param erasedAt since when nothing is left of it but its place, its keys and its digest; null for nearly all
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

    /** An entry that is all there. */
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

    /** The same with other metadata, as readers are shown it; the digest stays that of the log. */
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

    /** Places what was said behind a head. The digest covers everything a reader is shown of what was said, and the place. */
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
