package dev.parley.http;

/** Decides who is calling, from the request's head alone; refuses by throwing a problem. May block. */
public interface Gate<P> {
    P admit(RequestHead head);

    /** By what is counted how much of the server one caller takes up. */
    default Object meteredAs(P caller) {
        return caller;
    }

    /** Counts a call, right before its handler; refuses one too many by throwing a problem. */
    default void count(P caller, RateKind kind) {}
}
