package dev.parley.http;

/** The source of a stream's frames, once its response head is written. */
public non-sealed interface StreamSource extends Reply {
    /**
     * Called once, on the connection's event loop, and must not block. The client may be gone already: then {@link
     * SseConnection#onClose} runs its argument at once.
     */
    void attach(SseConnection connection);
}
