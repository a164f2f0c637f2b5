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
 * iMessage by way of a BlueBubbles server on a Mac. BlueBubbles signs nothing and sends no header of its own, so the
 * last segment of the path that it posts to is the proof.
 */
public final class BlueBubblesPlatform implements ChatPlatform {
    static final String PATH = "bluebubbles/{secret}";

    private final byte[] secret;
    private final BlueBubblesEvents events;
    private final BlueBubblesTransport transport;
    private final BlueBubblesBackfill backfill;

    /** Where the BlueBubbles server is, what it asks for, and what it proves itself with. */
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
            // It was away, and says nothing of what it did not deliver meanwhile.
            backfill.wake();
        }
        return InboundResult.of(events.read(type, event.path("data")));
    }

    private void requireSecret(InboundRequest request) {
        byte[] given = request.parameters().getOrDefault("secret", "").getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(secret, given)) {
            throw new ProblemException(Problem.UNAUTHENTICATED, "The delivery does not prove where it comes from.");
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
