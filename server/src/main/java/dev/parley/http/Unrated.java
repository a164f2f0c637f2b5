package dev.parley.http;

/** What a route says in place of a kind: its calls are not counted before its handler. */
public enum Unrated implements RateKind {
    /** The calls are not counted at all. */
    FREE,
    /** The handler counts by {@link Call#count}: the kind depends on the request, or a check goes before. */
    BY_HANDLER
}
