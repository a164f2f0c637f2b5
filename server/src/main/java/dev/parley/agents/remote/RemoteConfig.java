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
 * What is configured of one remote agent: where it is, what is sent along, and how long it may be silent.
 *
 * @param silence null leaves it to the server's limit
 */
public record RemoteConfig(
        OutboundUrl url,
        Map<String, SecretText> headers,
        @Nullable Duration silence) {
    /** What may be configured. */
    public static final List<String> MEMBERS = List.of("url", "headers", "silence_seconds", DisconnectPolicy.KEY);

    private static final int MAX_SILENCE_SECONDS = 3_600;

    public RemoteConfig {
        headers = Map.copyOf(headers);
    }

    /** Reads a configuration whose secrets are all there, or says what is wrong with each of its fields. */
    public static RemoteConfig require(ObjectNode config, Secrets secrets) {
        RemoteConfig read = read(config);
        List<FieldError> faults = new ArrayList<>();
        CallConfig.requireSecrets("config.headers", read.headers(), secrets, faults);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return read;
    }

    /** Reads a configuration whose secrets may have gone since. */
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

    private static @Nullable Duration silence(JsonNode given, List<FieldError> faults) {
        if (given.isMissingNode() || given.isNull()) {
            return null;
        }
        boolean fits = given.isIntegralNumber()
                && given.canConvertToInt()
                && given.intValue() >= 1
                && given.intValue() <= MAX_SILENCE_SECONDS;
        if (!fits) {
            faults.add(new FieldError(
                    "config.silence_seconds", "must be a whole number from 1 to " + MAX_SILENCE_SECONDS));
            return null;
        }
        return Duration.ofSeconds(given.intValue());
    }
}
