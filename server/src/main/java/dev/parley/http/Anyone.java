package dev.parley.http;

/** The caller of a route that stands outside the gate: nobody knows who it is. */
public enum Anyone {
    ANYONE
}
