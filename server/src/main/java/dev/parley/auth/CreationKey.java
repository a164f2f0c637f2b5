package dev.parley.auth;

import dev.parley.basics.Sha256;
import dev.parley.http.Call;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.RequestKeys.RequestKey;
import java.util.Optional;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads the {@code Idempotency-Key} of a call that creates a resource. A retry with the same key is recognised. */
public final class CreationKey {
    private static final String HEADER = "Idempotency-Key";
    /** Sorts the fields, because two bodies that differ only in field order or white space are the same request. */
    private static final JsonMapper SORTED = Json.MAPPER
            .rebuild()
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .build();

    private CreationKey() {}

    /** @param body the parsed body, without the fields that the server ignores */
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
