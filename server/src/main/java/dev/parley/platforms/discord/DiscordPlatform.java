package dev.parley.platforms.discord;

import dev.parley.delivery.ChatTransport;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.InboundResult;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Discord. Discord itself sends commands to this server as signed requests. It sends messages only over its gateway.
 * Therefore a relay holds the connection to the gateway, and forwards the events with an integration key of the source
 * {@code discord}.
 */
public final class DiscordPlatform implements ChatPlatform {
    public static final String SOURCE = "discord";

    private static final String INTERACTIONS = "discord/interactions";
    private static final String RELAY = "discord/relay";
    private static final String BEARER = "bearer ";

    private final DiscordSignature signature;
    private final Predicate<String> isIntegrationKey;
    private final DiscordEvents events;
    private final @Nullable DiscordTransport transport;

    /**
     * The operator's settings.
     *
     * @param publicKey the application's key, as 64 hex digits
     * @param botToken null if the server only receives messages
     * @param fileHosts the hosts on which Discord stores files
     */
    public record Settings(String publicKey, @Nullable String botToken, String apiUrl, Set<Destination> fileHosts) {}

    /**
     * @param isIntegrationKey true for integration keys of this source
     * @throws IllegalArgumentException the public key is invalid
     */
    public DiscordPlatform(
            Settings settings, Calls calls, PlatformFiles files, Predicate<String> isIntegrationKey, Clock clock) {
        this.signature = new DiscordSignature(settings.publicKey(), clock);
        this.isIntegrationKey = isIntegrationKey;
        String token = settings.botToken();
        DiscordApi api = token == null ? null : new DiscordApi(calls, settings.apiUrl(), token);
        DiscordAccount account = new DiscordAccount(api, clock);
        this.events = new DiscordEvents(
                new DiscordMessages(new DiscordFiles(files, settings.fileHosts()), new DiscordThreads(api)), account);
        this.transport = api == null ? null : new DiscordTransport(api, account, clock);
    }

    @Override
    public String source() {
        return SOURCE;
    }

    @Override
    public List<String> paths() {
        return List.of(INTERACTIONS, RELAY);
    }

    @Override
    public InboundResult receive(InboundRequest request) {
        if (request.path().equals(INTERACTIONS)) {
            signature.require(request);
            return DiscordInteractions.map(DiscordJson.read(request.readBody()));
        }
        requireKey(request);
        return InboundResult.of(events.map(DiscordJson.read(request.readBody())));
    }

    private void requireKey(InboundRequest request) {
        String authorization = request.header("Authorization").orElse("");
        if (!authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
                || !isIntegrationKey.test(
                        authorization.substring(BEARER.length()).strip())) {
            throw new ProblemException(
                    Problem.UNAUTHENTICATED, "Send an integration key of the source discord: Authorization: Bearer …");
        }
    }

    @Override
    public Optional<ChatTransport> transport() {
        return Optional.ofNullable(transport);
    }

    @Override
    public void close() {
        // The adapter has no open resources.
    }
}
