package dev.parley.http;

/** The kinds of routes whose calls are not counted before their handler. */
public enum Unrated implements RateKind {
    /** The calls are not counted at all. */
    FREE,
    /**
     * The handler counts by {@link Call#count}, because the kind depends on the request or because a check comes first.
     */
    BY_HANDLER
}
