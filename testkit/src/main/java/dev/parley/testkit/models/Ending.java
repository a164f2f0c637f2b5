package dev.parley.testkit.models;

/** How the answer to a request ended. */
public enum Ending {
    /** It was written to its end. */
    WHOLE,
    /** The script cut the connection. */
    CUT,
    /** The client closed its connection before the end. */
    LEFT
}
