package dev.parley.log;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread's entries, taken in their order and held against each other and against the head: dense seqs, growing
 * positions, time that never runs backwards, digests that fit what they cover, nothing left of what is erased, and the
 * chain over all of them. Of what is wrong in one way over and over only the first is told.
 */
final class Chain {
    private final Head head;
    private final Consumer<String> wrong;
    private Head reached;
    private long digestsWrong;
    private long halfErased;
    private long timesWrong;
    private long positionsWrong;
    private boolean hasGap;

    Chain(Head head, Consumer<String> wrong) {
        this.head = head;
        this.wrong = wrong;
        this.reached = Head.empty(head.thread(), Instant.MIN);
    }

    /**
     * @param salt null once the entry is erased, and only then: then its digest is all that is left to go by
     * @param redacted the digest over what is left of an entry that has lost its quotes; null for nearly all
     */
    void accept(Entry entry, @Nullable Digest salt, @Nullable Digest redacted) {
        if (entry.seq() != reached.lastSeq() + 1) {
            hasGap = true;
            wrong.accept(missing(reached.lastSeq() + 1, entry.seq() - 1));
        }
        if (entry.position() <= reached.lastPosition() && positionsWrong++ == 0) {
            wrong.accept("the entry with seq %d stands at position %d, not behind position %d"
                    .formatted(entry.seq(), entry.position(), reached.lastPosition()));
        }
        if (entry.createdAt().isBefore(reached.lastCreatedAt()) && timesWrong++ == 0) {
            wrong.accept("the entry with seq %d is older than the one before it".formatted(entry.seq()));
        }
        checkContent(entry, salt, redacted == null ? entry.digest() : redacted);
        reached = new Head(
                head.thread(),
                entry.seq(),
                entry.position(),
                entry.createdAt(),
                reached.hash().chain(entry.digest()),
                head.facts());
    }

    /** Without a salt nothing can be recomputed, so only what says nothing may be without one. */
    private void checkContent(Entry entry, @Nullable Digest salt, Digest expected) {
        if (entry.isErased() != (salt == null) || entry.isErased() && saysSomething(entry)) {
            if (halfErased++ == 0) {
                wrong.accept(
                        "the entry with seq %d is neither whole nor erased: it was changed".formatted(entry.seq()));
            }
        } else if (salt != null
                && !expected.equals(Redaction.digest(entry, entry.content(), salt))
                && digestsWrong++ == 0) {
            wrong.accept("the entry with seq %d does not fit its digest: it was changed".formatted(entry.seq()));
        }
    }

    private static boolean saysSomething(Entry entry) {
        EntryContent content = entry.content();
        return !content.text().isEmpty()
                || content.metadata() != null
                || !content.mentions().isEmpty()
                || !entry.engagement().isEmpty();
    }

    void finish() {
        if (reached.lastSeq() < head.lastSeq()) {
            hasGap = true;
            wrong.accept(missing(reached.lastSeq() + 1, head.lastSeq()));
        } else if (reached.lastSeq() > head.lastSeq()) {
            hasGap = true;
            wrong.accept("there are entries up to seq %d, but the head says %d"
                    .formatted(reached.lastSeq(), head.lastSeq()));
        }
        if (reached.lastPosition() > head.lastPosition()) {
            wrong.accept("there are entries up to position %d, but the head says %d"
                    .formatted(reached.lastPosition(), head.lastPosition()));
        }
        // A gap breaks the chain in any case, and was told.
        if (!hasGap && !reached.hash().equals(head.hash())) {
            wrong.accept("the digests of its entries do not lead to the hash of its head");
        }
        more(digestsWrong, "do not fit their digests");
        more(halfErased, "are neither whole nor erased");
        more(timesWrong, "are older than the one before");
        more(positionsWrong, "stand at a position that is not behind the one before");
    }

    private void more(long count, String what) {
        if (count > 1) {
            wrong.accept("%d entries %s".formatted(count, what));
        }
    }

    private static String missing(long from, long to) {
        return from == to
                ? "the entry with seq %d is missing".formatted(from)
                : "the entries with seq %d to %d are missing".formatted(from, to);
    }
}
