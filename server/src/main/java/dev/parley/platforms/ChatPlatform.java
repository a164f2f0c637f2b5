package dev.parley.platforms;

import dev.parley.delivery.ChatTransport;
import dev.parley.ingest.PlatformEvent;
import java.util.List;
import java.util.Optional;

/** A chat platform that sends messages to the server and receives answers. */
public interface ChatPlatform extends AutoCloseable {
    /** The source of its messages, by which the operator configures their owner. */
    String source();

    /** The paths of its inbound requests below {@code /api/v1/integrations/}; {@code {secret}} stands for a segment. */
    List<String> paths();

    /**
     * Verifies an inbound request on its raw bytes, then maps it to events.
     *
     * @throws dev.parley.protocol.ProblemException if the request is not genuine, or malformed
     */
    InboundResult receive(InboundRequest request);

    /** The transport of outgoing messages; empty for a platform that only sends. */
    Optional<ChatTransport> transport();

    /** Called once, as soon as events can be stored; platforms that must be asked for missed events begin here. */
    default void start(Sink sink) {}

    /** Stores the events that a platform found by itself. Returns after all are stored. */
    interface Sink {
        void take(List<PlatformEvent> inbound);
    }

    @Override
    void close();
}
