package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.FirstStart;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.face.integrations.PlatformFace;
import dev.parley.http.Routes;
import dev.parley.ingest.Ingest;
import dev.parley.outbound.Calls;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.PlatformFiles;
import dev.parley.storage.Database;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The chat platforms of one server: opened before its log, since what is said there goes to them; started behind it. */
final class ChatPlatforms implements AutoCloseable {
    private final List<ChatPlatform> platforms;
    private final List<ChatTransport> transports = new ArrayList<>();

    private ChatPlatforms(List<ChatPlatform> platforms, List<ChatTransport> relays) {
        this.platforms = platforms;
        platforms.forEach(platform -> platform.transport().ifPresent(transports::add));
        transports.addAll(relays);
    }

    static ChatPlatforms open(Config config, Database database, Calls calls, IntegrationKeys keys, Clock clock) {
        PlatformFiles files = new PlatformFiles(
                calls,
                config.limits().objects().uploadBytes(),
                config.limits().ingest().filesTime());
        OpenPlatforms.Dependencies parts = new OpenPlatforms.Dependencies(
                calls, files, database, keys, config.limits().ingest().namesTime(), clock);
        return new ChatPlatforms(
                OpenPlatforms.open(config.services().platforms(), parts),
                OpenPlatforms.relays(
                        config.services().platforms(), parts, new WebhookSecrets(FirstStart.signingSecrets(config))));
    }

    /** How they are told something. */
    List<ChatTransport> transports() {
        return List.copyOf(transports);
    }

    /** From here on they may bring messages. */
    void start(Ingest ingest, IntegrationKeys keys, Routes<Principal> routes, Config config) {
        for (ChatPlatform platform : platforms) {
            Principal.Integration integration = keys.configured(platform.source());
            if (integration.owner() == null) {
                throw new ConfigException("The platform " + platform.source()
                        + " is configured, but nobody keeps its threads: name somebody in the setting operators.");
            }
            ChatPlatform.Sink sink = inbound -> inbound.forEach(each -> ingest.receive(integration, each));
            new PlatformFace(platform, sink, config.limits().requests().body()).addTo(routes);
            platform.start(sink);
        }
    }

    @Override
    public void close() {
        platforms.forEach(ChatPlatform::close);
    }
}
