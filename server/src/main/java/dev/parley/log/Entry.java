package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What was said, at its place in a thread's log. */
public record Entry(ThreadId thread, long seq, long position, Instant createdAt, Digest digest, Said said) {

    /** Places a draft behind a head. The digest covers everything a reader is shown, and the place. */
    static Entry place(Draft draft, Head head, Instant createdAt) {
        Said said = draft.said();
        long seq = head.lastSeq() + 1;
        Digest.Builder digest = new Digest.Builder()
                .add(draft.salt())
                .add(head.thread().toString())
                .add(seq)
                .add(createdAt.getEpochSecond())
                .add(createdAt.getNano())
                .add(said.id())
                .add(said.author().value())
                .add(said.role().wire())
                .add(said.content())
                .add(said.metadata())
                .add(said.replyTo())
                .add(said.clientMessageId())
                .add(orNone(said.baseSeq()))
                .add(orNone(said.latestSeenSeq()))
                .add(said.mentions().size());
        for (Actor mention : said.mentions()) {
            digest.add(mention.value());
        }
        return new Entry(head.thread(), seq, head.lastPosition() + 1, createdAt, digest.finish(), said);
    }

    private static long orNone(@Nullable Long seq) {
        return seq == null ? -1 : seq;
    }
}
