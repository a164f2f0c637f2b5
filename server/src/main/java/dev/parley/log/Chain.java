package dev.parley.log;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The checks over one thread's entries, taken in order: dense seqs, growing positions, times that never run backwards,
 * digests that fit their content, no content left in erased entries, and the chain that ends in the head's hash. Of
 * each kind of fault only the first is reported in full; the rest are counted.
 */
final class Chain {
    private final Head head;
    private final Consumer<String> faults;
    private Head reached;
    private long digestsWrong;
    private long halfErased;
    private long timesWrong;
    private long positionsWrong;
    private boolean hasGap;

    Chain(Head head, Consumer<String> faults) {
        this.head = head;
        this.faults = faults;
        this.reached = Head.empty(head.thread(), Instant.MIN);
    }

    /**
     * @param salt null if and only if the entry is erased; then only its digest is left to check
     * @param redacted the digest over the rest of an entry that has lost its quotes; null for nearly all entries
     */
    void accept(Entry entry, @Nullable Digest salt, @Nullable Digest redacted) {
        if (entry.seq() != reached.lastSeq() + 1) {
            hasGap = true;
            faults.accept(missing(reached.lastSeq() + 1, entry.seq() - 1));
        }
        if (entry.position() <= reached.lastPosition() && positionsWrong++ == 0) {
            faults.accept("the entry with seq %d stands at position %d, not after position %d"
                    .formatted(entry.seq(), entry.position(), reached.lastPosition()));
        }
        if (entry.createdAt().isBefore(reached.lastCreatedAt()) && timesWrong++ == 0) {
            faults.accept("the entry with seq %d is older than the one before it".formatted(entry.seq()));
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

    /**
     * Checks the content against the digest. Without a salt nothing can be recomputed, so only an entry without content
     * may lack one.
     */
    private void checkContent(Entry entry, @Nullable Digest salt, Digest expected) {
        if (entry.isErased() != (salt == null) || entry.isErased() && hasContent(entry)) {
            if (halfErased++ == 0) {
                faults.accept(
                        "the entry with seq %d is neither whole nor erased: it was changed".formatted(entry.seq()));
            }
        } else if (salt != null
                && !expected.equals(Redaction.digest(entry, entry.content(), salt))
                && digestsWrong++ == 0) {
            faults.accept("the entry with seq %d does not fit its digest: it was changed".formatted(entry.seq()));
        }
    }

    private static boolean hasContent(Entry entry) {
        EntryContent content = entry.content();
        return !content.text().isEmpty()
                || content.metadata() != null
                || !content.mentions().isEmpty()
                || !entry.engagement().isEmpty();
    }

    void finish() {
        if (reached.lastSeq() < head.lastSeq()) {
            hasGap = true;
            faults.accept(missing(reached.lastSeq() + 1, head.lastSeq()));
        } else if (reached.lastSeq() > head.lastSeq()) {
            hasGap = true;
            faults.accept("there are entries up to seq %d, but the head says %d"
                    .formatted(reached.lastSeq(), head.lastSeq()));
        }
        if (reached.lastPosition() > head.lastPosition()) {
            faults.accept("there are entries up to position %d, but the head says %d"
                    .formatted(reached.lastPosition(), head.lastPosition()));
        }
        // A gap breaks the chain in any case, and is already reported.
        if (!hasGap && !reached.hash().equals(head.hash())) {
            faults.accept("the digests of its entries do not lead to the hash of its head");
        }
        addCount(digestsWrong, "do not fit their digests");
        addCount(halfErased, "are neither whole nor erased");
        addCount(timesWrong, "are older than the one before");
        addCount(positionsWrong, "stand at a position that is not after the one before");
    }

    private void addCount(long count, String description) {
        if (count > 1) {
            faults.accept("%d entries %s".formatted(count, description));
        }
    }

    private static String missing(long from, long to) {
        return from == to
                ? "the entry with seq %d is missing".formatted(from)
                : "the entries with seq %d to %d are missing".formatted(from, to);
    }
}
