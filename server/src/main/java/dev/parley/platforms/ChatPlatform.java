package dev.parley.platforms;

import dev.parley.delivery.ChatTransport;
import dev.parley.ingest.PlatformEvent;
import java.util.List;
import java.util.Optional;

/** A chat platform that sends messages to the server and receives answers. */
public interface ChatPlatform extends AutoCloseable {
    /** The source of the platform's messages. The operator configures the owner of the messages by this name. */
    String source();

    /** The paths of its inbound requests below {@code /api/v1/integrations/}; {@code {secret}} stands for a segment. */
    List<String> paths();

    /**
     * Verifies an inbound request on its raw bytes, then maps it to events.
     *
     * @throws dev.parley.protocol.ProblemException if the request is not genuine, or malformed
     */
    InboundResult receive(InboundRequest request);

    /** The transport of outgoing messages; empty for a platform that receives no messages from the server. */
    Optional<ChatTransport> transport();

    /**
     * This method is called once, as soon as events can be stored. If a platform does not repeat missed events, its
     * adapter begins to ask for them here.
     */
    default void start(Sink sink) {}

    /** Stores events that did not arrive in an inbound request. Returns after all events are stored. */
    interface Sink {
        void take(List<PlatformEvent> inbound);
    }

    @Override
    void close();
}
