package dev.parley.storage;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The results of creations with an {@code Idempotency-Key}, so that a repeated request creates nothing again. */
public final class RequestKeys {
    private RequestKeys() {}

    /** A creation that a caller may repeat. */
    public record RequestKey(Actor actor, String route, String key, byte[] fingerprint) {}

    /** Corrects the result of a key that {@link #taken} has just stored, if another result exists already. */
    public static void cameTo(Handle handle, RequestKey request, UUID result) {
        handle.createUpdate("""
                        update request_keys set result = :result
                        where actor = :actor and route = :route and key = :key""")
                .bind("result", result)
                .bind("actor", request.actor().value())
                .bind("route", request.route())
                .bind("key", request.key())
                .execute();
    }

    /**
     * Stores the key for a result that this transaction is about to create. If the key is stored already, returns the
     * result of the first request. Concurrent requests with the same key wait for each other.
     */
    public static Optional<UUID> taken(Handle handle, RequestKey request, UUID result) {
        int inserted = handle.createUpdate("""
                        insert into request_keys (actor, route, key, fingerprint, result, created_at)
                        values (:actor, :route, :key, :fingerprint, :result, now())
                        on conflict do nothing""")
                .bind("actor", request.actor().value())
                .bind("route", request.route())
                .bind("key", request.key())
                .bind("fingerprint", request.fingerprint())
                .bind("result", result)
                .execute();
        return inserted == 1 ? Optional.empty() : find(handle, request);
    }

    /** The result of the first request with the key. */
    public static Optional<UUID> find(Handle handle, RequestKey request) {
        return handle.createQuery("""
                        select result, fingerprint from request_keys
                        where actor = :actor and route = :route and key = :key""")
                .bind("actor", request.actor().value())
                .bind("route", request.route())
                .bind("key", request.key())
                .map((row, context) -> {
                    if (!Arrays.equals(row.getBytes("fingerprint"), request.fingerprint())) {
                        throw new ProblemException(
                                Problem.KEY_REUSED,
                                "The Idempotency-Key was already used with another body; send a new key.");
                    }
                    return row.getObject("result", UUID.class);
                })
                .findOne();
    }
}
