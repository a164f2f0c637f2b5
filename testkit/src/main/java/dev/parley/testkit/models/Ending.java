package dev.parley.testkit.models;

/** The way in which an answer ended. */
enum Ending {
    /** The answer was written to its end. */
    WHOLE,
    /** The script cut the connection. */
    CUT,
    /** The client closed its connection before the end. */
    LEFT
}
