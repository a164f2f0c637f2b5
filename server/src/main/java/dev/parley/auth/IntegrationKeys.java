package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Keys of integrations, each bound to one source: configured by the environment, or made by an operator. */
public final class IntegrationKeys {
    public static final String PREFIX = "parley_ik_";

    private static final Pattern SOURCE = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

    private final Database database;
    private final Clock clock;
    private final Map<String, byte[]> configured = new HashMap<>();

    /** @param configured key by source, from the configuration */
    public IntegrationKeys(Database database, Clock clock, Map<String, String> configured) {
        this.database = database;
        this.clock = clock;
        configured.forEach((source, key) -> this.configured.put(source, key.getBytes(StandardCharsets.UTF_8)));
    }

    /** A key as operators see it. */
    public record Listed(UUID keyId, String source, String prefix, Actor owner, Instant createdAt) {}

    /** A new key, with the secret that is never shown again. */
    public record Fresh(Listed key, String raw) {}

    public Fresh create(Actor owner, String source) {
        if (!isSource(source)) {
            throw ProblemException.invalidField(
                    "source", "must be a short lower-case name such as slack, and not a name of our own");
        }
        Credential credential = Credential.fresh(PREFIX);
        Listed key = new Listed(UuidV7.next(), source, credential.shown(PREFIX), owner, clock.instant());
        database.transact(handle -> handle.createUpdate("""
                        insert into integration_keys (key_id, source, owner, key_prefix, key_hash, created_at)
                        values (:id, :source, :owner, :prefix, :hash, :now)""")
                .bind("id", key.keyId())
                .bind("source", source)
                .bind("owner", owner.value())
                .bind("prefix", key.prefix())
                .bind("hash", credential.hash())
                .bind("now", key.createdAt().atOffset(ZoneOffset.UTC))
                .execute());
        return new Fresh(key, credential.raw());
    }

    /** A source's name is also the prefix of its people's ids, so it must not be one of ours. */
    public static boolean isSource(String name) {
        return SOURCE.matcher(name).matches()
                && switch (name) {
                    case "user", "agent", "system", "integration" -> false;
                    default -> true;
                };
    }

    public List<Listed> list() {
        return database.read(handle -> handle.createQuery("""
                        select key_id, source, owner, key_prefix, created_at from integration_keys
                        where revoked_at is null order by created_at, key_id limit 1000""")
                .map((row, context) -> new Listed(
                        row.getObject("key_id", UUID.class),
                        row.getString("source"),
                        row.getString("key_prefix"),
                        new Actor(row.getString("owner")),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .list());
    }

    public void revoke(UUID keyId) {
        int revoked = database.transact(handle -> handle.createUpdate(
                        "update integration_keys set revoked_at = :now where key_id = :id and revoked_at is null")
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .bind("id", keyId)
                .execute());
        if (revoked == 0) {
            throw new ProblemException(Problem.TOKEN_NOT_FOUND, "There is no such key.");
        }
    }

    Optional<Principal.Integration> find(String raw) {
        byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
        for (Map.Entry<String, byte[]> each : configured.entrySet()) {
            if (MessageDigest.isEqual(each.getValue(), bytes)) {
                String source = each.getKey();
                return Optional.of(new Principal.Integration(source, idOfConfigured(source)));
            }
        }
        if (!Credential.looksLike(PREFIX, raw)) {
            return Optional.empty();
        }
        return database.read(handle -> handle.createQuery(
                        "select key_id, source from integration_keys where key_hash = :hash and revoked_at is null")
                .bind("hash", new Credential(raw).hash())
                .map((row, context) ->
                        new Principal.Integration(row.getString("source"), row.getObject("key_id", UUID.class)))
                .findOne());
    }

    /** Which of these keys are still alive. */
    public Set<UUID> alive(Set<UUID> keys) {
        if (keys.isEmpty()) {
            return Set.of();
        }
        Set<UUID> alive = new HashSet<>(database.read(handle -> handle.createQuery(
                        "select key_id from integration_keys where key_id = any (:ids) and revoked_at is null")
                .bindArray("ids", UUID.class, keys.toArray())
                .mapTo(UUID.class)
                .set()));
        configured.keySet().stream().map(IntegrationKeys::idOfConfigured).forEach(alive::add);
        return alive;
    }

    private static UUID idOfConfigured(String source) {
        return UUID.nameUUIDFromBytes(source.getBytes(StandardCharsets.UTF_8));
    }
}
