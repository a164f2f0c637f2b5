package dev.parley.outbound;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the fields of a configuration, such as URLs and headers of outgoing calls, and collects their faults. */
public final class ConfigFields {
    private final String name;
    private final ObjectNode config;
    private final List<FieldError> faults = new ArrayList<>();

    /** @param name the name of the configuration, which precedes the names of its fields in faults */
    public ConfigFields(String name, ObjectNode config) {
        this.name = name;
        this.config = config;
    }

    public JsonNode path(String member) {
        return config.path(member);
    }

    public boolean isAbsent(String member) {
        return config.path(member).isMissingNode() || config.path(member).isNull();
    }

    /** A fault of the whole configuration. */
    public void fault(String message) {
        faults.add(new FieldError(name, message));
    }

    public void fault(String member, String message) {
        faults.add(new FieldError(name + "." + member, message));
    }

    /** Throws a problem that names all faults so far, if there are any. */
    public void refuseFaults() {
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
    }

    public void requireKnown(Collection<String> known, String message) {
        config.propertyNames().stream()
                .filter(member -> !known.contains(member))
                .forEach(member -> fault(member, message));
    }

    public int number(String member, int ifAbsent, int min, int max) {
        JsonNode given = config.path(member);
        if (isAbsent(member)) {
            return ifAbsent;
        }
        if (given.isIntegralNumber() && given.canConvertToInt() && given.intValue() >= min && given.intValue() <= max) {
            return given.intValue();
        }
        fault(member, "must be a whole number from " + min + " to " + max);
        return ifAbsent;
    }

    /** A whole number of seconds, at least one; null if it is absent. */
    public @Nullable Duration seconds(String member, int max) {
        return isAbsent(member) ? null : Duration.ofSeconds(number(member, 1, 1, max));
    }

    /** @param purpose the purpose of the URL, which the fault of a missing URL states */
    public Optional<OutboundUrl> url(String member, String purpose) {
        JsonNode given = config.path(member);
        if (!given.isString()) {
            fault(member, "is required: " + purpose);
            return Optional.empty();
        }
        try {
            OutboundUrl url = OutboundUrl.parse(given.stringValue());
            String query = url.uri().getQuery();
            if (query != null
                    && Split.at('&', query).stream()
                            .anyMatch(parameter -> HeaderRules.isCredential(
                                    Split.at('=', parameter, 2).getFirst()))) {
                fault(
                        member,
                        "carries a credential, visible to every reader of the configuration; send a header instead");
            }
            return Optional.of(url);
        } catch (IllegalArgumentException wrong) {
            fault(member, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    public Map<String, SecretText> headers(String member) {
        JsonNode given = config.path(member);
        Map<String, SecretText> headers = new LinkedHashMap<>();
        if (isAbsent(member)) {
            return headers;
        }
        if (!given.isObject()) {
            fault(member, "must be an object of names and texts");
            return headers;
        }
        if (given.size() > HeaderRules.MAX_ENTRIES) {
            fault(member, "has more than " + HeaderRules.MAX_ENTRIES + " members");
            return headers;
        }
        given.forEachEntry((header, value) -> {
            String fault = HeaderRules.faultIn(header, value);
            if (fault == null) {
                headers.put(header, new SecretText(value.stringValue()));
            } else {
                fault(member + "." + header, fault);
            }
        });
        Set<String> different =
                headers.keySet().stream().map(HeaderRules::lower).collect(Collectors.toSet());
        if (different.size() < headers.size()) {
            fault(member, "names a header twice");
        }
        return headers;
    }

    /** Adds a fault for each missing secret to which the texts of a field refer. */
    public void requireSecrets(String member, Map<String, SecretText> texts, Secrets secrets) {
        texts.forEach((key, text) -> requireSecrets(member + "." + key, text, secrets));
    }

    public void requireSecrets(String member, SecretText text, Secrets secrets) {
        text.names().stream()
                .filter(secret -> !secrets.has(secret))
                .forEach(secret ->
                        fault(member, "refers to the secret " + secret + ", which this server does not have"));
    }
}
