package dev.parley.ingest;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.threads.Metadata;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where an answer should go: routing only. What is in here is stored and shown, so no secret may be. */
final class DispatchConfig {
    private static final Alphabet PLAIN = Alphabet.of("a-z0-9");

    private static final List<String> SECRETS = List.of(
            "token",
            "secret",
            "password",
            "passwd",
            "passphrase",
            "apikey",
            "accesskey",
            "privatekey",
            "signingkey",
            "authorization",
            "bearer",
            "credential",
            "cookie");

    private DispatchConfig() {}

    static void require(ObjectNode config, long limitBytes) {
        requireNoSecrets("dispatch_config", config);
        Metadata.requireStorable("dispatch_config", config);
        if (Json.MAPPER.writeValueAsBytes(config).length > limitBytes) {
            throw ProblemException.invalidField(
                    "dispatch_config", "is larger than the limit of " + limitBytes + " bytes");
        }
    }

    private static void requireNoSecrets(String at, JsonNode node) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                String place = at + "." + member.getKey();
                if (isSecretLike(member.getKey())) {
                    throw ProblemException.invalidField(
                            place, "looks like a secret; this is for routing, and secrets belong to the configuration");
                }
                requireNoSecrets(place, member.getValue());
            }
        } else if (node.isArray()) {
            int index = 0;
            for (JsonNode each : node) {
                requireNoSecrets(at + "[" + index++ + "]", each);
            }
        }
    }

    /** However it is spelled: apiKey, API-KEY and api_key are one name. */
    static boolean isSecretLike(String name) {
        String plain = PLAIN.keptOf(name.toLowerCase(Locale.ROOT));
        return SECRETS.stream().anyMatch(plain::contains);
    }
}
