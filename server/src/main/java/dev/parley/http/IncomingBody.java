package dev.parley.http;

/** A request's body on its way in, as the event loop sees it. */
sealed interface IncomingBody permits RequestBody, UploadBody {
    boolean ended();

    /** Whether the client may never send the body, since it was not told to go on. */
    boolean mayNeverCome();

    /** Lets go of the body: what still comes is counted and dropped, and too much of it closes the connection. */
    void drop(long atMost);
}
