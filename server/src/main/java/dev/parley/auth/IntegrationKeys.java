package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
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
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Keys of integrations, each bound to one source. A key is configured, or created by an operator. */
public final class IntegrationKeys {
    static final String PREFIX = "parley_ik_";

    private final Database database;
    private final Clock clock;
    private final Audit audit;
    private final Map<String, byte[]> configured = new HashMap<>();
    private final @Nullable Actor configuredOwner;

    /**
     * @param configured the configured keys by source
     * @param configuredOwner the owner of the configured keys, if there is one
     */
    public IntegrationKeys(
            Database database,
            Clock clock,
            Audit audit,
            Map<String, String> configured,
            Optional<Actor> configuredOwner) {
        this.database = database;
        this.clock = clock;
        this.audit = audit;
        this.configuredOwner = configuredOwner.orElse(null);
        configured.forEach((source, key) -> this.configured.put(source, key.getBytes(StandardCharsets.UTF_8)));
    }

    /** A key as operators see it. */
    public record Listed(UUID keyId, String source, String prefix, Actor owner, Instant createdAt) {}

    /**
     * A newly created key.
     *
     * @param raw the secret; null for a repeated request, since only the hash is kept
     */
    public record CreatedKey(Listed key, @Nullable String raw) {}

    public CreatedKey create(Actor operator, String source, Optional<RequestKey> request) {
        if (!Sources.isSource(source)) {
            throw ProblemException.invalidField(
                    "source",
                    "must be a short lower-case name such as slack, and neither a reserved name nor another"
                            + " source's prefix");
        }
        Credential credential = Credential.fresh(PREFIX);
        UUID id = UuidV7.next();
        return database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, id));
            if (before.isPresent()) {
                return new CreatedKey(require(handle, before.get()), null);
            }
            handle.createUpdate("""
                            insert into integration_keys (key_id, source, owner, key_prefix, key_hash, created_at)
                            values (:id, :source, :owner, :prefix, :hash, :now)""")
                    .bind("id", id)
                    .bind("source", source)
                    .bind("owner", operator.value())
                    .bind("prefix", credential.shown(PREFIX))
                    .bind("hash", credential.hash())
                    .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                    .execute();
            audit.record(handle, operator, "integration_key.created", source + " " + id);
            return new CreatedKey(require(handle, id), credential.raw());
        });
    }

    public List<Listed> list() {
        return database.read(handle ->
                handle.createQuery("""
                        select * from integration_keys where revoked_at is null order by created_at, key_id limit 1000""").map((row, context) -> read(row)).list());
    }

    private static Listed require(Handle handle, UUID keyId) {
        return handle.createQuery("select * from integration_keys where key_id = :id and revoked_at is null")
                .bind("id", keyId)
                .map((row, context) -> read(row))
                .findOne()
                .orElseThrow(IntegrationKeys::notFound);
    }

    private static Listed read(ResultSet row) throws SQLException {
        return new Listed(
                row.getObject("key_id", UUID.class),
                row.getString("source"),
                row.getString("key_prefix"),
                new Actor(row.getString("owner")),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    /** Ends a key at once. */
    public void revoke(Actor operator, UUID keyId) {
        database.transact(handle -> {
            int revoked = handle.createUpdate(
                            "update integration_keys set revoked_at = :now where key_id = :id and revoked_at is null")
                    .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                    .bind("id", keyId)
                    .execute();
            if (revoked == 0) {
                throw notFound();
            }
            audit.record(handle, operator, "integration_key.revoked", keyId.toString());
            return revoked;
        });
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.TOKEN_NOT_FOUND, "There is no such key.");
    }

    /** The principal for a platform that authenticates its messages by other means than a key. */
    public Principal.Integration configured(String source) {
        return new Principal.Integration(source, idOfConfigured(source), configuredOwner);
    }

    /** The integration of a configured or created key. */
    public Optional<Principal.Integration> findAny(String raw) {
        return findConfigured(raw).or(() -> find(raw));
    }

    /** The integration of a configured key. */
    Optional<Principal.Integration> findConfigured(String raw) {
        byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
        for (Map.Entry<String, byte[]> each : configured.entrySet()) {
            if (MessageDigest.isEqual(each.getValue(), bytes)) {
                String source = each.getKey();
                return Optional.of(configured(source));
            }
        }
        return Optional.empty();
    }

    /** The integration of a key created by an operator. */
    Optional<Principal.Integration> find(String raw) {
        if (!Credential.looksLike(PREFIX, raw)) {
            return Optional.empty();
        }
        return database.read(handle -> handle.createQuery(
                        "select key_id, source, owner from integration_keys where key_hash = :hash and revoked_at is null")
                .bind("hash", new Credential(raw).hash())
                .map((row, context) -> new Principal.Integration(
                        row.getString("source"),
                        row.getObject("key_id", UUID.class),
                        new Actor(row.getString("owner"))))
                .findOne());
    }

    /** The keys of the set that are still alive. */
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
