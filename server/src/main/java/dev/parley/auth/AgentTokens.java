package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of external agents. The server looks a token up on every call and never caches it, so every node refuses a
 * revoked token at once.
 */
public final class AgentTokens {
    static final String PREFIX = "ama_eat_";
    private static final int LIVE_PER_AGENT = 2;

    private final Database database;
    private final Clock clock;

    public AgentTokens(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A token as its owner sees it. */
    public record Listed(
            UUID tokenId,
            UUID agentId,
            String displayName,
            String prefix,
            Set<Capability> scopes,
            @Nullable Instant expiresAt,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {}

    /**
     * A newly created token.
     *
     * @param raw the secret; null for a repeated request, since only the hash is kept
     */
    public record CreatedToken(Listed token, @Nullable String raw) {}

    /** A request for a new token. */
    public record TokenRequest(
            UUID agent,
            @Nullable String displayName,
            Set<Capability> scopes,
            @Nullable Instant expiresAt) {}

    /**
     * Creates a token for an agent of the owner. An agent has at most two live tokens, so that one can replace the
     * other without a gap.
     */
    public CreatedToken create(Actor owner, TokenRequest tokenRequest, Optional<RequestKey> request) {
        Credential credential = Credential.fresh(PREFIX);
        UUID id = UuidV7.next();
        return database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, id));
            if (before.isPresent()) {
                return new CreatedToken(require(handle, owner, before.get()), null);
            }
            // The lock serialises the creations for one agent. Otherwise two concurrent creations could exceed the
            // limit.
            String agentName = handle.createQuery("""
                            select display_name from agents where agent_id = :agent and owner = :owner for update""")
                    .bind("agent", tokenRequest.agent())
                    .bind("owner", owner.value())
                    .mapTo(String.class)
                    .findOne()
                    .orElseThrow(() -> new ProblemException(Problem.AGENT_NOT_FOUND, "There is no such agent."));
            if (tokenRequest.expiresAt() != null && !tokenRequest.expiresAt().isAfter(clock.instant())) {
                throw ProblemException.invalidField("expires_at", "must be in the future");
            }
            requireRoom(handle, tokenRequest.agent());
            insert(
                    handle,
                    id,
                    owner,
                    tokenRequest,
                    tokenRequest.displayName() == null ? agentName : tokenRequest.displayName(),
                    credential);
            return new CreatedToken(require(handle, owner, id), credential.raw());
        });
    }

    private void requireRoom(Handle handle, UUID agent) {
        int live = handle.createQuery("""
                        select count(*) from agent_tokens
                        where agent_id = :agent and revoked_at is null and (expires_at is null or expires_at > :now)""")
                .bind("agent", agent)
                .bind("now", now())
                .mapTo(Integer.class)
                .one();
        if (live >= LIVE_PER_AGENT) {
            throw new ProblemException(
                    Problem.TOO_MANY_TOKENS,
                    "The agent has " + LIVE_PER_AGENT + " live tokens already; revoke one first.");
        }
    }

    private void insert(
            Handle handle, UUID id, Actor owner, TokenRequest tokenRequest, String name, Credential credential) {
        handle.createUpdate("""
                        insert into agent_tokens (token_id, agent_id, owner, display_name, token_prefix, token_hash,
                            scopes, expires_at, created_at)
                        values (:id, :agent, :owner, :name, :prefix, :hash, :scopes, :expires, :now)""")
                .bind("id", id)
                .bind("agent", tokenRequest.agent())
                .bind("owner", owner.value())
                .bind("name", name)
                .bind("prefix", credential.shown(PREFIX))
                .bind("hash", credential.hash())
                .bind("scopes", Capability.toBits(tokenRequest.scopes()))
                .bind(
                        "expires",
                        tokenRequest.expiresAt() == null
                                ? null
                                : tokenRequest.expiresAt().atOffset(ZoneOffset.UTC))
                .bind("now", now())
                .execute();
    }

    private static Listed require(Handle handle, Actor owner, UUID id) {
        return handle.createQuery(
                        "select * from agent_tokens where token_id = :id and owner = :owner and revoked_at is null")
                .bind("id", id)
                .bind("owner", owner.value())
                .map((row, context) -> read(row))
                .findOne()
                .orElseThrow(AgentTokens::notFound);
    }

    public List<Listed> list(Actor owner) {
        return database.read(handle -> handle.createQuery("""
                        select * from agent_tokens where owner = :owner and revoked_at is null
                        order by created_at, token_id limit 1000""")
                .bind("owner", owner.value())
                .map((row, context) -> read(row))
                .list());
    }

    private static Listed read(ResultSet row) throws SQLException {
        return new Listed(
                row.getObject("token_id", UUID.class),
                row.getObject("agent_id", UUID.class),
                row.getString("display_name"),
                row.getString("token_prefix"),
                EnumSet.copyOf(Capability.fromBits(row.getInt("scopes"))),
                instant(row.getObject("expires_at", OffsetDateTime.class)),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row.getObject("last_used_at", OffsetDateTime.class)));
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.TOKEN_NOT_FOUND, "You have no such token.");
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** Ends a token at once. */
    public void revoke(Actor owner, UUID tokenId) {
        int revoked = database.transact(handle -> handle.createUpdate("""
                        update agent_tokens set revoked_at = :now
                        where token_id = :id and owner = :owner and revoked_at is null""")
                .bind("now", now())
                .bind("id", tokenId)
                .bind("owner", owner.value())
                .execute());
        if (revoked == 0) {
            throw notFound();
        }
    }

    /**
     * Ends all tokens of an agent at once, in the caller's transaction.
     *
     * @return the number of tokens that were alive
     */
    public static int revokeAll(Handle handle, UUID agent, Instant now) {
        return handle.createUpdate(
                        "update agent_tokens set revoked_at = :now where agent_id = :agent and revoked_at is null")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("agent", agent)
                .execute();
    }

    /** The agent of a live raw token. */
    Optional<Principal.Agent> find(String raw) {
        byte[] hash = new Credential(raw).hash();
        return database.read(handle -> handle.createQuery("""
                        select t.token_id, t.token_hash, t.agent_id, t.scopes, a.display_name
                        from agent_tokens t join agents a using (agent_id)
                        where t.token_hash = :hash and t.revoked_at is null and a.is_active
                            and (t.expires_at is null or t.expires_at > :now)""")
                        .bind("hash", hash)
                        .bind("now", now())
                        .map((row, context) -> new StoredToken(
                                row.getBytes("token_hash"),
                                new Principal.Agent(
                                        row.getObject("agent_id", UUID.class),
                                        row.getObject("token_id", UUID.class),
                                        row.getString("display_name"),
                                        EnumSet.copyOf(Capability.fromBits(row.getInt("scopes"))))))
                        .findOne())
                .filter(found -> MessageDigest.isEqual(found.hash(), hash))
                .map(StoredToken::agent);
    }

    /** The tokens of the set that are still alive. */
    public Set<UUID> alive(Set<UUID> tokens) {
        if (tokens.isEmpty()) {
            return Set.of();
        }
        return database.read(handle -> handle.createQuery("""
                        select t.token_id from agent_tokens t join agents a using (agent_id)
                        where t.token_id = any (:ids) and t.revoked_at is null and a.is_active
                            and (t.expires_at is null or t.expires_at > :now)""")
                .bindArray("ids", UUID.class, tokens.toArray())
                .bind("now", now())
                .mapTo(UUID.class)
                .set());
    }

    /**
     * True if a live token of the agent has the scope run. Without such a token, no driver can claim the agent's runs.
     */
    public boolean canDrive(UUID agent) {
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select from agent_tokens
                            where agent_id = :agent and revoked_at is null and scopes & :run <> 0
                                and (expires_at is null or expires_at > :now))""")
                .bind("agent", agent)
                .bind("run", Capability.toBits(Set.of(Capability.CAN_RUN)))
                .bind("now", now())
                .mapTo(Boolean.class)
                .one());
    }

    /** Records the last use of a token. About one call a minute is enough, because the time is only shown to people. */
    void used(UUID token) {
        database.transact(
                handle -> handle.createUpdate("update agent_tokens set last_used_at = :now where token_id = :id")
                        .bind("now", now())
                        .bind("id", token)
                        .execute());
    }

    private record StoredToken(byte[] hash, Principal.Agent agent) {}
}
