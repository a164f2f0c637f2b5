package dev.parley.access;

/** The relation of a caller to a message, a run or a document, in the order of the table's columns. */
enum Role {
    /**
     * The author of the message, the starter of the run or its first reporter. A participant without the right to
     * manage.
     */
    AUTHOR("author"),
    /** The owner of the run's agent. A participant without the right to manage. */
    AGENTS_OWNER("agent's owner"),
    MANAGER("manager"),
    /** A participant without a relation to the message or run. */
    MEMBER("member"),
    /** Not a participant. */
    STRANGER("stranger"),
    /** A token of the run's agent with the scopes observe, speak and run. */
    AGENT("run's agent"),
    /** The same for an agent of the member. */
    OTHER_AGENT("other agent");

    final String title;

    Role(String title) {
        this.title = title;
    }
}
