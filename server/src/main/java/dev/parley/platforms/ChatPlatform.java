package dev.parley.platforms;

import dev.parley.delivery.ChatTransport;
import dev.parley.ingest.PlatformEvent;
import java.util.List;
import java.util.Optional;

/** One chat platform that the server takes messages from and answers to. */
public interface ChatPlatform extends AutoCloseable {
    /** What its messages are marked with, and whose configured owner keeps them. */
    String source();

    /** Where it delivers to, below {@code /api/v1/integrations/}; {@code {secret}} stands for a segment. */
    List<String> paths();

    /**
     * Verifies a delivery on its raw bytes, then maps it.
     *
     * @throws dev.parley.protocol.ProblemException if it is not genuine, or not what it says
     */
    InboundResult receive(InboundRequest request);

    /** How it is told something; empty if it can only be listened to. */
    Optional<ChatTransport> transport();

    /** Told once, when what it brings can be stored: for platforms that must be asked what they sent meanwhile. */
    default void start(Sink sink) {}

    /** Where a platform puts what it found by itself. Comes back when everything is stored. */
    interface Sink {
        void take(List<PlatformEvent> inbound);
    }

    @Override
    void close();
}
