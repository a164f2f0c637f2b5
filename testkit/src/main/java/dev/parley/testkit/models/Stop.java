package dev.parley.testkit.models;

/** Why an answer ended; each provider has its own word for it. */
public enum Stop {
    END,
    LENGTH,
    CALLS,
    REFUSED
}
