package dev.parley.platforms.bluebubbles;

import dev.parley.delivery.ChatTransport;
import dev.parley.outbound.Calls;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.InboundBody;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.InboundResult;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * iMessage through a BlueBubbles server on a Mac. BlueBubbles neither signs its requests nor sends a header of its own,
 * so the last segment of the webhook's path is the secret.
 */
public final class BlueBubblesPlatform implements ChatPlatform {
    static final String PATH = "bluebubbles/{secret}";

    private final byte[] secret;
    private final BlueBubblesEvents events;
    private final BlueBubblesTransport transport;
    private final BlueBubblesBackfill backfill;

    /** The URL and password of the BlueBubbles server, and the secret of its webhook. */
    public record Access(URI url, String password, String webhookSecret) {
        @Override
        public String toString() {
            return "Access[…]";
        }
    }

    public BlueBubblesPlatform(Access access, Calls calls, PlatformFiles files, Backfills backfills, Clock clock) {
        BlueBubblesApi api = new BlueBubblesApi(calls, files, access.url(), access.password());
        this.secret = access.webhookSecret().getBytes(StandardCharsets.UTF_8);
        this.events = new BlueBubblesEvents(api, new Contacts(api, clock), clock);
        this.transport = new BlueBubblesTransport(api, clock);
        this.backfill = new BlueBubblesBackfill(api, events, backfills, clock, BlueBubblesBackfill.Pace.DEFAULT);
    }

    @Override
    public String source() {
        return BlueBubblesEvents.SOURCE;
    }

    @Override
    public List<String> paths() {
        return List.of(PATH);
    }

    @Override
    public InboundResult receive(InboundRequest request) {
        requireSecret(request);
        JsonNode event = InboundBody.read(request.readBody());
        String type = Fields.text(event, "type");
        if (type.equals("hello-world")) {
            // After a restart BlueBubbles does not repeat the webhooks that it missed.
            backfill.wake();
        }
        return InboundResult.of(events.read(type, event.path("data")));
    }

    private void requireSecret(InboundRequest request) {
        byte[] given = request.parameters().getOrDefault("secret", "").getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(secret, given)) {
            throw new ProblemException(Problem.UNAUTHENTICATED, "The path's secret is wrong.");
        }
    }

    @Override
    public Optional<ChatTransport> transport() {
        return Optional.of(transport);
    }

    @Override
    public void start(Sink sink) {
        backfill.start(sink);
    }

    @Override
    public void close() {
        backfill.close();
    }
}
