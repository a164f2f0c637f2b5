package dev.parley.testkit.models;

/** The reason for the end of an answer; each provider has its own word for it. */
public enum Stop {
    END,
    LENGTH,
    CALLS,
    REFUSED
}
