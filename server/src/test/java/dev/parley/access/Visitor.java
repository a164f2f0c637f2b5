package dev.parley.access;

/**
 * A caller of an operation.
 *
 * @param credential the bearer token; empty for none
 * @param kind the document's name for this kind of caller
 * @param lacks the one scope that its token lacks; empty if it has all
 */
record Visitor(String name, String credential, String kind, Standing standing, String lacks) {
    Visitor(String name, String credential, String kind, Standing standing) {
        this(name, credential, kind, standing, "");
    }

    /** The relation of a visitor to the thread, the agent or the token of a call. */
    enum Standing {
        /** Has no valid credential. */
        NOBODY,
        /** Has a valid credential, and no relation. */
        OUTSIDER,
        /** Is a participant without the right to manage. */
        MEMBER,
        /** Is a participant like a member, with a token that lacks one scope. */
        UNSCOPED,
        /** Owns the object. */
        OWNER
    }

    @Override
    public String toString() {
        return name;
    }
}
