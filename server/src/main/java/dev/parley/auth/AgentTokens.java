package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of agents that run elsewhere. Looked up at every call and cached nowhere, so a revoked one is dead at once, on
 * every node.
 */
public final class AgentTokens {
    public static final String PREFIX = "ama_eat_";
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

    /** A new token, with the secret that is never shown again. */
    public record Fresh(Listed token, String raw) {}

    /** Makes a token; an agent has at most two live ones, so that one can replace the other without a gap. */
    public Fresh create(
            Actor owner, UUID agent, String displayName, Set<Capability> scopes, @Nullable Instant expiresAt) {
        Credential credential = Credential.fresh(PREFIX);
        Listed token = new Listed(
                UuidV7.next(), agent, displayName, credential.shown(PREFIX), scopes, expiresAt, clock.instant(), null);
        boolean made = database.transact(handle -> {
            // Serialises the creations of one agent, so that the count below holds.
            handle.createQuery("select 1 from agents where agent_id = :agent for update")
                    .bind("agent", agent)
                    .mapTo(Integer.class)
                    .findOne();
            return handle.createUpdate("""
                            insert into agent_tokens (token_id, agent_id, owner, display_name, token_prefix, token_hash,
                                scopes, expires_at, created_at)
                            select :id, :agent, :owner, :name, :prefix, :hash, :scopes, :expires, :now
                            where (select count(*) from agent_tokens
                                where agent_id = :agent and revoked_at is null
                                    and (expires_at is null or expires_at > :now)) < :most""")
                            .bind("id", token.tokenId())
                            .bind("agent", agent)
                            .bind("owner", owner.value())
                            .bind("name", displayName)
                            .bind("prefix", token.prefix())
                            .bind("hash", credential.hash())
                            .bind("scopes", Capability.toBits(scopes))
                            .bind("expires", expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC))
                            .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                            .bind("most", LIVE_PER_AGENT)
                            .execute()
                    == 1;
        });
        if (!made) {
            throw new ProblemException(
                    Problem.TOO_MANY_TOKENS,
                    "The agent has " + LIVE_PER_AGENT + " live tokens already; revoke one first.");
        }
        return new Fresh(token, credential.raw());
    }

    public List<Listed> list(Actor owner) {
        return database.read(handle -> handle.createQuery("""
                        select token_id, agent_id, display_name, token_prefix, scopes, expires_at, created_at,
                            last_used_at
                        from agent_tokens where owner = :owner and revoked_at is null
                        order by created_at, token_id limit 1000""")
                .bind("owner", owner.value())
                .map((row, context) -> new Listed(
                        row.getObject("token_id", UUID.class),
                        row.getObject("agent_id", UUID.class),
                        row.getString("display_name"),
                        row.getString("token_prefix"),
                        EnumSet.copyOf(Capability.fromBits(row.getInt("scopes"))),
                        instant(row.getObject("expires_at", OffsetDateTime.class)),
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        instant(row.getObject("last_used_at", OffsetDateTime.class))))
                .list());
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** Ends a token at once. */
    public void revoke(Actor owner, UUID tokenId) {
        int revoked = database.transact(handle -> handle.createUpdate("""
                        update agent_tokens set revoked_at = :now
                        where token_id = :id and owner = :owner and revoked_at is null""")
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .bind("id", tokenId)
                .bind("owner", owner.value())
                .execute());
        if (revoked == 0) {
            throw new ProblemException(Problem.TOKEN_NOT_FOUND, "You have no such token.");
        }
    }

    /** Who a raw token stands for, if it is alive. */
    Optional<Principal.Agent> find(String raw) {
        byte[] hash = new Credential(raw).hash();
        return database.transact(handle -> handle.createQuery("""
                        select t.token_id, t.token_hash, t.agent_id, t.scopes, a.display_name
                        from agent_tokens t join agents a using (agent_id)
                        where t.token_hash = :hash and t.revoked_at is null and a.is_active
                            and (t.expires_at is null or t.expires_at > :now)""")
                        .bind("hash", hash)
                        .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                        .map((row, context) -> new Found(
                                row.getBytes("token_hash"),
                                new Principal.Agent(
                                        row.getObject("agent_id", UUID.class),
                                        row.getObject("token_id", UUID.class),
                                        row.getString("display_name"),
                                        EnumSet.copyOf(Capability.fromBits(row.getInt("scopes"))))))
                        .findOne())
                .filter(found -> MessageDigest.isEqual(found.hash(), hash))
                .map(Found::agent);
    }

    /** Which of these tokens are still alive. */
    public Set<UUID> alive(Set<UUID> tokens) {
        if (tokens.isEmpty()) {
            return Set.of();
        }
        return database.read(handle -> handle.createQuery("""
                        select t.token_id from agent_tokens t join agents a using (agent_id)
                        where t.token_id = any (:ids) and t.revoked_at is null and a.is_active
                            and (t.expires_at is null or t.expires_at > :now)""")
                .bindArray("ids", UUID.class, tokens.toArray())
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .mapTo(UUID.class)
                .set());
    }

    /** Notes when tokens were last used; told in batches, since it is only for people to look at. */
    void used(Set<UUID> tokens) {
        database.transact(
                handle -> handle.createUpdate("update agent_tokens set last_used_at = :now where token_id = any (:ids)")
                        .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                        .bindArray("ids", UUID.class, tokens.toArray())
                        .execute());
    }

    private record Found(byte[] hash, Principal.Agent agent) {}
}
