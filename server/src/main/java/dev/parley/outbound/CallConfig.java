package dev.parley.outbound;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Split;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Reads the part of a configuration that says where to call and what is sent along; whatever is wrong becomes a fault. */
public final class CallConfig {
    private CallConfig() {}

    /** @param purpose what the URL is for, to be said where it is missing */
    public static Optional<OutboundUrl> url(String field, JsonNode given, String purpose, List<FieldError> faults) {
        if (!given.isString()) {
            faults.add(new FieldError(field, "is required: " + purpose));
            return Optional.empty();
        }
        try {
            OutboundUrl url = OutboundUrl.parse(given.stringValue());
            String query = url.uri().getQuery();
            if (query != null
                    && Split.at('&', query).stream()
                            .anyMatch(member -> HeaderRules.isCredential(
                                    Split.at('=', member, 2).getFirst()))) {
                faults.add(new FieldError(
                        field,
                        "carries a credential, which everybody who sees the configuration would see; send a header"));
            }
            return Optional.of(url);
        } catch (IllegalArgumentException wrong) {
            faults.add(new FieldError(field, String.valueOf(wrong.getMessage())));
            return Optional.empty();
        }
    }

    public static Map<String, SecretText> headers(String field, JsonNode given, List<FieldError> faults) {
        Map<String, SecretText> headers = new LinkedHashMap<>();
        if (given.isMissingNode() || given.isNull()) {
            return headers;
        }
        if (!given.isObject()) {
            faults.add(new FieldError(field, "must be an object of names and texts"));
            return headers;
        }
        if (given.size() > HeaderRules.MAX_ENTRIES) {
            faults.add(new FieldError(field, "has more than " + HeaderRules.MAX_ENTRIES + " members"));
            return headers;
        }
        given.forEachEntry((name, value) -> {
            String fault = HeaderRules.faultIn(name, value);
            if (fault == null) {
                headers.put(name, new SecretText(value.stringValue()));
            } else {
                faults.add(new FieldError(field + "." + name, fault));
            }
        });
        Set<String> different =
                headers.keySet().stream().map(HeaderRules::lower).collect(Collectors.toSet());
        if (different.size() < headers.size()) {
            faults.add(new FieldError(field, "names a header twice"));
        }
        return headers;
    }

    /** Names the secrets that texts refer to and that are not there. */
    public static void requireSecrets(
            String field, Map<String, SecretText> texts, Secrets secrets, List<FieldError> faults) {
        texts.forEach((name, text) -> text.names().stream()
                .filter(secret -> !secrets.has(secret))
                .forEach(secret -> faults.add(new FieldError(
                        field + "." + name, "refers to the secret " + secret + ", which this server does not have"))));
    }
}
