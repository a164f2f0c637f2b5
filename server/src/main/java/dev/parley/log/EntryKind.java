package dev.parley.log;

/** The kind of an entry. The number is stored, so it must never change. */
public enum EntryKind {
    /** A message. */
    MESSAGE(0),
    /** A message's text was replaced; the content is the new text. */
    EDIT(1),
    /** The author deleted a message. */
    DELETION(2),
    /** A reaction to a message; the content is the emoji. */
    REACTION(3),
    /** A reaction was removed; the content is the emoji. */
    REACTION_REMOVED(4),
    /** A message no longer counts, because its run was rolled back; it stays readable. */
    WITHDRAWAL(5),
    /**
     * All messages of agents between the target and this entry are superseded, because the target is answered again;
     * they stay readable. If the target is itself a supersession, this entry lifts that supersession: the messages
     * count again. If the target is a message of a run, this entry makes that message count again.
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

    /** True if the entry changes an earlier message. */
    public boolean isRevision() {
        return this != MESSAGE;
    }

    /** True if the entry means the same once its content is erased. */
    public boolean standsWithoutWords() {
        return this == DELETION || this == WITHDRAWAL || this == SUPERSESSION;
    }
}
