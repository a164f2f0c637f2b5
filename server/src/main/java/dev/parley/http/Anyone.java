package dev.parley.http;

/** The unknown caller of a route outside the gate. */
public enum Anyone {
    ANYONE
}
