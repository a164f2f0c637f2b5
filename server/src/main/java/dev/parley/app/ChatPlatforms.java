package dev.parley.app;

import dev.parley.app.config.ConfigException;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.delivery.ChatTransport;
import dev.parley.ingest.Ingest;
import dev.parley.outbound.Calls;
import dev.parley.platforms.ChatPlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The chat platforms of one server. The platforms are opened before the log, because the log needs their transports.
 * They are connected to ingest after the log is open.
 */
record ChatPlatforms(List<ChatPlatform> platforms, List<ChatTransport> relays) implements AutoCloseable {
    static ChatPlatforms open(Foundation base, Calls calls, IntegrationKeys keys) {
        OpenPlatforms opening = new OpenPlatforms(base, calls, keys);
        return new ChatPlatforms(opening.platforms(), opening.relays());
    }

    /** The transports to all sources that messages can be delivered to. */
    List<ChatTransport> transports() {
        return Stream.concat(platforms.stream().flatMap(platform -> platform.transport().stream()), relays.stream())
                .toList();
    }

    /**
     * A platform and the sink for its messages. The messages belong to the owner that is configured for the platform.
     */
    record Connected(ChatPlatform platform, ChatPlatform.Sink sink) {
        /** Starts the platform; messages may arrive from now on. */
        void start() {
            platform.start(sink);
        }
    }

    List<Connected> connect(Ingest ingest, IntegrationKeys keys) {
        List<Connected> connected = new ArrayList<>();
        for (ChatPlatform platform : platforms) {
            Principal.Integration integration = keys.configured(platform.source());
            if (integration.owner() == null) {
                throw new ConfigException("The platform " + platform.source()
                        + " is configured, but its threads have no owner: name a user in the setting operators.");
            }
            connected.add(
                    new Connected(platform, events -> events.forEach(event -> ingest.receive(integration, event))));
        }
        return connected;
    }

    @Override
    public void close() {
        platforms.forEach(ChatPlatform::close);
    }
}
