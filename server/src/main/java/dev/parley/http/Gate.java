package dev.parley.http;

/** Decides who is calling, from the request's head alone; refuses by throwing a problem. May block. */
public interface Gate<P> {
    P admit(RequestHead head);

    /** By what is counted how much one caller takes up: equal for all its credentials, if it has several. */
    default Object meteredAs(P caller) {
        return caller;
    }
}
