package dev.parley.access;

/**
 * Somebody at the door.
 *
 * @param credential what it sends as its bearer token; empty for nothing at all
 * @param kind as the document calls its callers
 * @param lacks the one scope that its token does not have; empty if it has all
 */
record Visitor(String name, String credential, String kind, Standing standing, String lacks) {
    Visitor(String name, String credential, String kind, Standing standing) {
        this(name, credential, kind, standing, "");
    }

    /** What a visitor is to the thread, the agent or the token that a call is about. */
    enum Standing {
        /** Has no credential that counts. */
        NOBODY,
        /** Is known, and has nothing to do with it. */
        OUTSIDER,
        /** Is in the thread, without the right to manage it. */
        MEMBER,
        /** Is in the thread like a member, with a token that lacks one scope. */
        UNSCOPED,
        /** Owns it. */
        OWNER
    }

    @Override
    public String toString() {
        return name;
    }
}
