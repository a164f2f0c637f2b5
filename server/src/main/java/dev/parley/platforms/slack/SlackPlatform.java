package dev.parley.platforms.slack;

import dev.parley.delivery.ChatTransport;
import dev.parley.ingest.PlatformEvent;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.InboundBody;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.InboundResult;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Json;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Slack (<a href="https://docs.slack.dev/apis/events-api/">Slack: Events API</a>). Its signed events arrive at one
 * path. Slack retries slow deliveries; {@code ingest} deduplicates, so nothing here handles retries.
 */
public final class SlackPlatform implements ChatPlatform {
    static final String SOURCE = "slack";

    private final SlackSignature signature;
    private final SlackNames names;
    private final SlackEvents events;
    private final @Nullable SlackTransport transport;

    /**
     * The access to Slack.
     *
     * @param botToken null if the server only receives events
     * @param fileHosts the hosts from which files may be downloaded
     * @param namesTime limit for looking up the name of a sender
     */
    public record Access(
            byte[] signingSecret, @Nullable String botToken, URI api, Set<Destination> fileHosts, Duration namesTime) {
        /** Omits the secrets. */
        @Override
        public String toString() {
            return "Slack at " + api;
        }
    }

    public SlackPlatform(Access access, Calls calls, PlatformFiles files, Clock clock) {
        String token = access.botToken();
        SlackApi api = token == null ? null : new SlackApi(calls, access.api(), token);
        SlackAccount account = new SlackAccount(api, clock);
        this.signature = new SlackSignature(access.signingSecret(), clock);
        this.names = new SlackNames(api, access.namesTime(), clock);
        this.events = new SlackEvents(
                new SlackMessages(
                        account, names, new SlackFiles(api, files, access.fileHosts()), new SlackThreads(api, names)),
                account,
                names);
        this.transport = api == null ? null : new SlackTransport(api, clock);
    }

    @Override
    public String source() {
        return SOURCE;
    }

    @Override
    public List<String> paths() {
        return List.of("slack/events");
    }

    @Override
    public InboundResult receive(InboundRequest request) {
        signature.require(request);
        ObjectNode body = InboundBody.read(request.readBody());
        String type = SlackEnvelope.require(body, "", "type");
        return switch (type) {
            case "url_verification" ->
                InboundResult.answering(
                        Json.MAPPER.createObjectNode().put("challenge", SlackEnvelope.require(body, "", "challenge")));
            case "event_callback" -> InboundResult.of(List.of(events.read(SlackEnvelope.read(body))));
            default -> InboundResult.of(List.of(new PlatformEvent.Ignored(type)));
        };
    }

    @Override
    public Optional<ChatTransport> transport() {
        return Optional.ofNullable(transport);
    }

    @Override
    public void close() {
        names.close();
    }
}
