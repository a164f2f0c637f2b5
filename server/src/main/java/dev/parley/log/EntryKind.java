package dev.parley.log;

/** What stands at a position of the log. Stored by its number: never renumber. */
public enum EntryKind {
    /** Somebody said something. */
    MESSAGE(0),
    /** A message's text was replaced; the content is the new text. */
    EDIT(1),
    /** A message was taken back by its author. */
    DELETION(2),
    /** Somebody reacted to a message; the content is the emoji. */
    REACTION(3),
    /** Somebody took a reaction back; the content is the emoji. */
    REACTION_REMOVED(4),
    /** A message counts no longer, because the run it belongs to was rolled back; it stays readable. */
    WITHDRAWAL(5),
    /**
     * Whatever agents said between the target and this is answered anew; it stays readable. If the target is itself a
     * supersession, or a message that a run left, this lifts it.
     */
    SUPERSESSION(6);

    private final short number;

    EntryKind(int number) {
        this.number = (short) number;
    }

    short number() {
        return number;
    }

    static EntryKind of(int number) {
        for (EntryKind kind : values()) {
            if (kind.number == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no kind of entry has the number " + number);
    }

    /** Whether it changes an earlier message instead of being one. */
    public boolean isRevision() {
        return this != MESSAGE;
    }

    /** Whether it means the same once its content is erased. */
    public boolean standsWithoutWords() {
        return this == DELETION || this == WITHDRAWAL || this == SUPERSESSION;
    }
}
