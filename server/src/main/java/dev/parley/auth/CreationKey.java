package dev.parley.auth;

import dev.parley.basics.Sha256;
import dev.parley.http.Call;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.RequestKeys.RequestKey;
import java.util.Optional;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads the {@code Idempotency-Key} of a call that makes something: the caller's own name for it, known again on a retry. */
public final class CreationKey {
    private static final String HEADER = "Idempotency-Key";
    /** Neither the order of members nor white space makes another body. */
    private static final JsonMapper SORTED = Json.MAPPER
            .rebuild()
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .build();

    private CreationKey() {}

    /** @param body what was read from the body: what the server ignores does not count */
    public static Optional<RequestKey> of(Call<Principal> call, String route, Object body, int longest) {
        return call.header(HEADER).map(key -> {
            if (key.isBlank() || key.length() > longest || key.chars().anyMatch(Character::isISOControl)) {
                throw ProblemException.invalidField(
                        HEADER, "must have 1 to " + longest + " characters, none of them a control character");
            }
            return new RequestKey(call.caller().actor(), route, key, fingerprint(body));
        });
    }

    private static byte[] fingerprint(Object body) {
        return Sha256.of(SORTED.writeValueAsBytes(body));
    }
}
