package dev.parley.http;

/** The kind under which the gate counts the calls of a route. The kinds themselves belong to the gate. */
public interface RateKind {}
