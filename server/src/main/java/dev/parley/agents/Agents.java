package dev.parley.agents;

import dev.parley.auth.AgentTokens;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import dev.parley.threads.ThreadFactsCache;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The front door of agents. An agent that the caller may not use appears not to exist. */
public final class Agents {
    /** The built-in agent, which needs no key. */
    public static final Actor DEMO = new Actor("agent:00000000-0000-7000-8000-0000000000de");

    private static final String AGENT = "agent:";

    private final Database database;
    private final Clock clock;

    public Agents(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** An owner's values for an agent; null means the current value, or the default for a new agent. */
    public record AgentChange(
            @Nullable String displayName,
            RegisteredAgent.@Nullable Kind kind,
            @Nullable ObjectNode config,
            RegisteredAgent.@Nullable Visibility visibility,
            @Nullable Boolean active) {}

    /** Registers an agent; a repeated request returns the agent that the first request registered. */
    public RegisteredAgent create(Principal owner, AgentChange change, Optional<RequestKey> request) {
        RegisteredAgent agent = new RegisteredAgent(
                UuidV7.next(),
                owner.actor(),
                change.displayName() == null ? "Agent" : change.displayName(),
                change.kind() == null ? RegisteredAgent.Kind.EXTERNAL : change.kind(),
                change.config() == null ? Json.MAPPER.createObjectNode() : change.config(),
                change.visibility() == null ? RegisteredAgent.Visibility.PRIVATE : change.visibility(),
                change.active() == null || change.active(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        return database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, agent.id()));
            if (before.isPresent()) {
                return requireOwned(handle, owner, before.get());
            }
            insert(handle, agent);
            return agent;
        });
    }

    /** Registers an external agent within the caller's transaction. */
    public void register(Handle handle, UUID id, Actor owner, String displayName) {
        insert(
                handle,
                new RegisteredAgent(
                        id,
                        owner,
                        displayName,
                        RegisteredAgent.Kind.EXTERNAL,
                        Json.MAPPER.createObjectNode(),
                        RegisteredAgent.Visibility.PRIVATE,
                        true,
                        clock.instant().truncatedTo(ChronoUnit.MICROS)));
    }

    private static void insert(Handle handle, RegisteredAgent agent) {
        handle.createUpdate("""
                        insert into agents (agent_id, owner, display_name, kind, config, visibility, is_active, created_at)
                        values (:id, :owner, :name, :kind, :config::json, :visibility, :active, :at)""")
                .bind("id", agent.id())
                .bind("owner", agent.owner().value())
                .bind("name", agent.displayName())
                .bind("kind", wire(agent.kind()))
                .bind("config", Json.MAPPER.writeValueAsString(agent.config()))
                .bind("visibility", wire(agent.visibility()))
                .bind("active", agent.active())
                .bind("at", agent.createdAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    public List<RegisteredAgent> list(Principal owner) {
        return database.read(handle -> handle.createQuery("""
                        select * from agents where owner = :owner order by created_at, agent_id limit 1000""")
                .bind("owner", owner.actor().value())
                .map((row, context) -> read(row))
                .list());
    }

    /** The active agents that the caller may add to a thread: its own and the shared ones. */
    public List<RegisteredAgent> listUsable(Principal caller) {
        return database.read(handle -> handle.createQuery("""
                        select * from agents where is_active and (owner = :caller or visibility = 'shared')
                        order by created_at, agent_id limit 1000""")
                .bind("caller", caller.actor().value())
                .map((row, context) -> read(row))
                .list());
    }

    /**
     * The active agents that a caller may mean by a name: the caller's own agents, or the server's shared agents if the
     * caller has none of this name. An agent of the server is also found by its name in the operator's file. Agents of
     * other owners are not found by name, because owners choose names freely.
     */
    private List<RegisteredAgent> listNamed(Principal caller, String name) {
        List<RegisteredAgent> named = database.read(handle -> handle.createQuery("""
                        select * from agents
                        where is_active and owner in (:caller, :server)
                            and (owner = :caller or visibility = 'shared')
                            and (lower(display_name) = lower(:name)
                                or owner = :server and lower(file_name) = lower(:name))
                        order by owner <> :caller, agent_id limit 4""")
                .bind("caller", caller.actor().value())
                .bind("server", Actor.SYSTEM.value())
                .bind("name", name)
                .map((row, context) -> read(row))
                .list());
        List<RegisteredAgent> own = named.stream()
                .filter(agent -> agent.owner().equals(caller.actor()))
                .toList();
        return own.isEmpty() ? named : own;
    }

    /** An agent that the caller owns. */
    public RegisteredAgent requireOwned(Principal owner, UUID id) {
        return database.read(handle -> requireOwned(handle, owner, id));
    }

    private static RegisteredAgent requireOwned(Handle handle, Principal owner, UUID id) {
        return find(handle, id)
                .filter(agent -> agent.owner().equals(owner.actor()))
                .orElseThrow(Agents::notFound);
    }

    /**
     * An active agent that the caller may add to a thread: the caller's own agent, a shared agent, or the caller
     * itself.
     */
    public RegisteredAgent requireUsable(Principal caller, Actor agent) {
        return UuidV7.parseCanonical(agent.value().substring(AGENT.length()))
                .flatMap(id -> database.read(handle -> find(handle, id)))
                .filter(RegisteredAgent::active)
                .filter(found -> found.visibility() == RegisteredAgent.Visibility.SHARED
                        || found.owner().equals(caller.actor())
                        || found.actor().equals(caller.actor()))
                .orElseThrow(Agents::notFound);
    }

    /**
     * Finds an agent by its id, by its actor, or by its name as in {@link #listNamed}. The caller must have the right
     * to use the agent.
     *
     * @param field the request's field that contains the name; the refusal of an ambiguous name mentions this field
     */
    public RegisteredAgent requireUsable(Principal caller, String field, String name) {
        if (name.startsWith(AGENT) || UuidV7.parseCanonical(name).isPresent()) {
            return requireUsable(
                    caller,
                    Actor.parse(name.startsWith(AGENT) ? name : AGENT + name)
                            .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                            .orElseThrow(Agents::notFound));
        }
        List<RegisteredAgent> named = Text.isStorable(name) ? listNamed(caller, name) : List.of();
        if (named.size() > 1) {
            throw ProblemException.invalidField(field, "is the name of several agents; use the agent's id");
        }
        return named.stream().findFirst().orElseThrow(Agents::notFound);
    }

    /** An agent, without a check of rights. */
    public Optional<RegisteredAgent> find(Actor agent) {
        return UuidV7.parseCanonical(agent.value().substring(AGENT.length()))
                .flatMap(id -> database.read(handle -> find(handle, id)));
    }

    /**
     * The actor to whom the caller's names for sessions and agents belong. This is the agent's owner if the caller is
     * an agent, else the caller.
     */
    public Actor ownerFor(Principal caller) {
        return caller instanceof Principal.Agent agent
                ? find(agent.actor()).map(RegisteredAgent::owner).orElse(agent.actor())
                : caller.actor();
    }

    /** Changes the given values of an agent; its kind never changes. */
    public RegisteredAgent update(Principal owner, UUID id, AgentChange change) {
        return database.transact(handle -> {
            RegisteredAgent now = requireOwned(handle, owner, id);
            if (change.kind() != null && change.kind() != now.kind()) {
                throw ProblemException.invalidField("kind", "cannot be changed; register another agent");
            }
            if (change.active() != null && change.active() != now.active()) {
                ThreadFactsCache.outdate(handle, now.actor());
            }
            // One statement, so that two concurrent changes of different columns both succeed.
            return handle.createQuery("""
                            update agents set
                                display_name = coalesce(:name, display_name),
                                config = coalesce(:config::json, config),
                                visibility = coalesce(:visibility, visibility),
                                is_active = coalesce(:active, is_active)
                            where agent_id = :id and owner = :owner
                            returning *""")
                    .bind("id", id)
                    .bind("owner", owner.actor().value())
                    .bind("name", change.displayName())
                    .bind("config", change.config() == null ? null : Json.MAPPER.writeValueAsString(change.config()))
                    .bind("visibility", change.visibility() == null ? null : wire(change.visibility()))
                    .bind("active", change.active())
                    .map((row, context) -> read(row))
                    .findOne()
                    .orElseThrow(Agents::notFound);
        });
    }

    /** Switches an agent off for good: its messages stay, its tokens are revoked, and it cannot be added to threads. */
    public void delete(Principal owner, UUID id) {
        database.transact(handle -> {
            // The agent is updated first, because a concurrent creation of a token locks the agent.
            // After the lock is released, the new token is visible here and is revoked too.
            int deleted = handle.createUpdate("""
                            update agents set is_active = false, owner = :server
                            where agent_id = :id and owner = :owner""")
                    .bind("id", id)
                    .bind("owner", owner.actor().value())
                    .bind("server", Actor.SYSTEM.value())
                    .execute();
            if (deleted == 0) {
                throw notFound();
            }
            ThreadFactsCache.outdate(handle, Actor.agent(id));
            return AgentTokens.revokeAll(handle, id, clock.instant());
        });
    }

    private static Optional<RegisteredAgent> find(Handle handle, UUID id) {
        return handle.createQuery("select * from agents where agent_id = :id")
                .bind("id", id)
                .map((row, context) -> read(row))
                .findOne();
    }

    private static RegisteredAgent read(ResultSet row) throws SQLException {
        return new RegisteredAgent(
                row.getObject("agent_id", UUID.class),
                new Actor(row.getString("owner")),
                row.getString("display_name"),
                RegisteredAgent.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                (ObjectNode) Json.MAPPER.readTree(row.getString("config")),
                RegisteredAgent.Visibility.valueOf(row.getString("visibility").toUpperCase(Locale.ROOT)),
                row.getBoolean("is_active"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    private static String wire(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.AGENT_NOT_FOUND, "There is no such agent.");
    }
}
