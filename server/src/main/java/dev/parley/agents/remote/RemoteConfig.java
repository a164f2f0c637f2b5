package dev.parley.agents.remote;

import dev.parley.agents.DisconnectPolicy;
import dev.parley.outbound.CallConfig;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration of a remote agent: its URL, the headers of its requests, and its longest silence.
 *
 * @param silence null applies the server's limit
 */
public record RemoteConfig(
        OutboundUrl url,
        Map<String, SecretText> headers,
        @Nullable Duration silence) {
    /** The known members of the configuration. */
    public static final List<String> MEMBERS = List.of("url", "headers", "silence_seconds", DisconnectPolicy.KEY);

    private static final int MAX_SILENCE_SECONDS = 3_600;

    public RemoteConfig {
        headers = Map.copyOf(headers);
    }

    /** Reads a configuration whose secrets all exist, or throws a problem that names each invalid field. */
    public static RemoteConfig require(ObjectNode config, Secrets secrets) {
        RemoteConfig read = read(config);
        List<FieldError> faults = new ArrayList<>();
        CallConfig.requireSecrets("config.headers", read.headers(), secrets, faults);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return read;
    }

    /** Reads a stored configuration; its secrets may have been removed since. */
    static RemoteConfig read(ObjectNode config) {
        List<FieldError> faults = new ArrayList<>();
        for (String member : config.propertyNames()) {
            if (!MEMBERS.contains(member)) {
                faults.add(new FieldError(
                        "config." + member,
                        "is not known; an agent of kind agui has url, headers, silence_seconds and on_disconnect"));
            }
        }
        Optional<OutboundUrl> url =
                CallConfig.url("config.url", config.path("url"), "where the agent takes AG-UI's RunAgentInput", faults);
        Map<String, SecretText> headers = CallConfig.headers("config.headers", config.path("headers"), faults);
        Duration silence = silence(config.path("silence_seconds"), faults);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return new RemoteConfig(url.orElseThrow(), headers, silence);
    }

    private static @Nullable Duration silence(JsonNode value, List<FieldError> faults) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        boolean fits = value.isIntegralNumber()
                && value.canConvertToInt()
                && value.intValue() >= 1
                && value.intValue() <= MAX_SILENCE_SECONDS;
        if (!fits) {
            faults.add(new FieldError(
                    "config.silence_seconds", "must be a whole number from 1 to " + MAX_SILENCE_SECONDS));
            return null;
        }
        return Duration.ofSeconds(value.intValue());
    }
}
