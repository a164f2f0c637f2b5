package dev.parley.log;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks one thread's entries in order: seqs are dense, positions grow, times never run backwards, digests fit their
 * content, erased entries have no content left, and the chain ends in the head's hash. For each kind of fault, only the
 * first fault is reported in full, and all faults are counted.
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
     * @param salt the salt of the entry's digest; null for an erased entry, whose digest cannot be recomputed
     * @param redacted the digest over the remaining content if a part of the metadata was removed; null for nearly all
     *     entries
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
     * Checks the content against the digest. The digest cannot be recomputed without a salt, so only an entry without
     * content may lack a salt.
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
