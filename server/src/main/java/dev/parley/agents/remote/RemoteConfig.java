package dev.parley.agents.remote;

import dev.parley.agents.DisconnectPolicy;
import dev.parley.outbound.ConfigFields;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration of a remote agent: its URL, the headers of its requests, and its longest silence.
 *
 * @param silence longest time without bytes; null applies the server's limit
 */
public record RemoteConfig(
        OutboundUrl url,
        Map<String, SecretText> headers,
        @Nullable Duration silence) {
    /** The known fields of the configuration. */
    public static final List<String> MEMBERS = List.of("url", "headers", "silence_seconds", DisconnectPolicy.KEY);

    private static final int MAX_SILENCE_SECONDS = 3_600;

    public RemoteConfig {
        headers = Map.copyOf(headers);
    }

    /** Reads a configuration whose secrets all exist, or throws a problem that names each invalid field. */
    public static RemoteConfig require(ObjectNode config, Secrets secrets) {
        ConfigFields fields = new ConfigFields("config", config);
        RemoteConfig read = read(fields);
        fields.requireSecrets("headers", read.headers(), secrets);
        fields.refuseFaults();
        return read;
    }

    /** Reads a stored configuration; its secrets may have been removed since. */
    static RemoteConfig read(ObjectNode config) {
        return read(new ConfigFields("config", config));
    }

    private static RemoteConfig read(ConfigFields config) {
        config.requireKnown(
                MEMBERS, "is not known; an agent of kind agui has url, headers, silence_seconds and on_disconnect");
        Optional<OutboundUrl> url = config.url("url", "where the agent takes AG-UI's RunAgentInput");
        Map<String, SecretText> headers = config.headers("headers");
        Duration silence = config.seconds("silence_seconds", MAX_SILENCE_SECONDS);
        config.refuseFaults();
        return new RemoteConfig(url.orElseThrow(), headers, silence);
    }
}
