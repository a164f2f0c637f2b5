package dev.parley.access;

/** What a caller is to a message, a run or a document of others, in the order of the table's columns. */
enum Role {
    /** Wrote the message, started the run, told of it first. A participant without the right to manage. */
    AUTHOR("author"),
    /** Owns the agent of the run. A participant without the right to manage. */
    AGENTS_OWNER("agent's owner"),
    MANAGER("manager"),
    /** A participant that none of it concerns. */
    MEMBER("member"),
    /** Is not in the thread. */
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
