package dev.parley.http;

/** Identifies the caller from the request's head alone; refuses by throwing a problem. May block. */
public interface Gate<P> {
    P admit(RequestHead head);

    /** The key under which the server counts the load of one caller. */
    default Object meteredAs(P caller) {
        return caller;
    }

    /** Counts a call, right before its handler; refuses calls above the rate by throwing a problem. */
    default void count(P caller, RateKind kind) {}
}
