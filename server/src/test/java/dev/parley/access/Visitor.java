package dev.parley.access;

/**
 * Somebody at the door.
 *
 * @param credential what it sends as its bearer token; empty for nothing at all
 * @param kind as the document calls its callers
 */
record Visitor(String name, String credential, String kind, Standing standing) {
    /** What a visitor is to the thread, the agent or the token that a call is about. */
    enum Standing {
        /** Has no credential that counts. */
        NOBODY,
        /** Is known, and has nothing to do with it. */
        OUTSIDER,
        /** Is in the thread, without the right to manage it. */
        MEMBER,
        /** Is in the thread, with a token that lacks the operation's scope. */
        UNSCOPED,
        /** Is in the thread, with a token that lacks some other scope: it may be refused, but not halfway. */
        HALF_SCOPED,
        /** Owns it. */
        OWNER
    }

    @Override
    public String toString() {
        return name;
    }
}
