package dev.parley.http;

/** The source of a stream's frames. It sends them after the response head is written. */
public non-sealed interface StreamSource extends Reply {
    /**
     * Attaches the source to its connection. Called once, on the connection's event loop, and must not block. If the
     * client is gone already, {@link SseConnection#onClose} runs its argument at once.
     */
    void attach(SseConnection connection);
}
