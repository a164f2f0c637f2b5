package dev.parley.auth;

import dev.parley.protocol.Json;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tickets for a plain {@code EventSource}, which cannot send a header. A ticket opens one stream for one principal. It
 * stays valid for a minute after the stream was last seen open. During that minute, the browser can reconnect on any
 * node.
 */
public final class StreamTickets {
    static final Duration LIFE = Duration.ofSeconds(60);
    /** The time that a row stays after its ticket has expired. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final String PREFIX = "tkt_";

    private final Database database;
    private final Clock clock;
    private final AgentTokens agentTokens;
    private final IntegrationKeys integrationKeys;

    public StreamTickets(Database database, Clock clock, AgentTokens agentTokens, IntegrationKeys integrationKeys) {
        this.database = database;
        this.clock = clock;
        this.agentTokens = agentTokens;
        this.integrationKeys = integrationKeys;
    }

    /** The stored form of a principal, from which a ticket restores the principal. */
    private record Holder(
            String kind,
            UUID id,
            String name,
            boolean operator,
            @Nullable UUID tokenId,
            @Nullable List<Capability> scopes) {
        static Holder of(Principal principal) {
            return switch (principal) {
                case Principal.User user ->
                    new Holder("user", user.id(), user.displayName(), user.operator(), null, null);
                case Principal.Agent agent ->
                    new Holder(
                            "agent",
                            agent.id(),
                            agent.displayName(),
                            false,
                            agent.tokenId(),
                            List.copyOf(agent.scopes()));
                case Principal.Integration integration ->
                    new Holder("integration", integration.keyId(), integration.source(), false, null, null);
            };
        }

        Principal toPrincipal() {
            return switch (kind) {
                // The ticket itself expires, a minute after its stream ends.
                case "user" -> new Principal.User(id, name, operator, Instant.MAX);
                case "agent" ->
                    new Principal.Agent(
                            id, tokenId == null ? id : tokenId, name, scopes == null ? Set.of() : Set.copyOf(scopes));
                default -> new Principal.Integration(name, id, null);
            };
        }
    }

    /** Creates a ticket for one path. */
    public String create(Principal principal, String path) {
        Credential credential = Credential.fresh(PREFIX);
        database.transact(handle -> {
            // A stream ends when the row of its ticket is gone. Tickets of open streams may expire while their node
            // pauses, so rows stay for a while after the expiry.
            handle.createUpdate("delete from stream_tickets where expires_at < :longAgo")
                    .bind("longAgo", clock.instant().minus(KEPT).atOffset(ZoneOffset.UTC))
                    .execute();
            return handle.createUpdate("""
                            insert into stream_tickets (ticket_hash, path, principal, expires_at)
                            values (:hash, :path, :principal::json, :expires)""")
                    .bind("hash", credential.hash())
                    .bind("path", path)
                    .bind("principal", Json.MAPPER.writeValueAsString(Holder.of(principal)))
                    .bind("expires", clock.instant().plus(LIFE).atOffset(ZoneOffset.UTC))
                    .execute();
        });
        return credential.raw();
    }

    /**
     * The principal that may open this path with this ticket. A ticket ends with the token or key that created the
     * ticket.
     */
    Optional<Principal> find(String raw, String path) {
        if (!Credential.looksLike(PREFIX, raw)) {
            return Optional.empty();
        }
        return database.read(handle -> handle.createQuery("""
                        select principal from stream_tickets
                        where ticket_hash = :hash and path = :path and expires_at > :now""")
                        .bind("hash", new Credential(raw).hash())
                        .bind("path", path)
                        .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                        .mapTo(String.class)
                        .findOne())
                .map(text -> Json.MAPPER.readValue(text, Holder.class).toPrincipal())
                .filter(this::stillThere);
    }

    private boolean stillThere(Principal principal) {
        return switch (principal) {
            case Principal.User user -> true;
            case Principal.Agent agent ->
                agentTokens.alive(Set.of(agent.tokenId())).contains(agent.tokenId());
            case Principal.Integration integration ->
                integrationKeys.alive(Set.of(integration.keyId())).contains(integration.keyId());
        };
    }

    /** Extends the tickets of open streams, every few seconds. Returns the tickets that still exist. */
    public Set<String> stillOpen(Collection<String> raw) {
        if (raw.isEmpty()) {
            return Set.of();
        }
        Map<String, String> byHash = raw.stream()
                .collect(Collectors.toMap(
                        ticket -> HexFormat.of().formatHex(new Credential(ticket).hash()),
                        ticket -> ticket,
                        (first, second) -> first));
        return database.transact(handle -> handle.createQuery("""
                        update stream_tickets set expires_at = :expires
                        where ticket_hash in (select decode(hash, 'hex') from unnest(:hashes::text[]) as hash)
                        returning encode(ticket_hash, 'hex')""")
                .bind("expires", clock.instant().plus(LIFE).atOffset(ZoneOffset.UTC))
                .bindArray("hashes", String.class, byHash.keySet().toArray())
                .mapTo(String.class)
                .map(byHash::get)
                .set());
    }
}
