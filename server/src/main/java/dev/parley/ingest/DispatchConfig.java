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

/** Checks the requested routing of answers. The routing is stored and shown, so it must not contain secrets. */
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
                String field = at + "." + member.getKey();
                if (isSecretLike(member.getKey())) {
                    throw ProblemException.invalidField(
                            field, "looks like a secret; send routing only, and configure secrets on the server");
                }
                requireNoSecrets(field, member.getValue());
            }
        } else if (node.isArray()) {
            int index = 0;
            for (JsonNode each : node) {
                requireNoSecrets(at + "[" + index++ + "]", each);
            }
        }
    }

    /** True for names of secrets in any spelling, such as apiKey, API-KEY and api_key. */
    static boolean isSecretLike(String name) {
        String plain = PLAIN.keptOf(name.toLowerCase(Locale.ROOT));
        return SECRETS.stream().anyMatch(plain::contains);
    }
}
