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

/** The front door of agents. One that the caller may not use and one that does not exist look the same. */
public final class Agents {
    /** The agent that is always there and needs no key. */
    public static final Actor DEMO = new Actor("agent:00000000-0000-7000-8000-0000000000de");

    private static final String AGENT = "agent:";

    private final Database database;
    private final Clock clock;

    public Agents(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** What an owner says about an agent; null means: as it is, or the default. */
    public record AgentChange(
            @Nullable String displayName,
            RegisteredAgent.@Nullable Kind kind,
            @Nullable ObjectNode config,
            RegisteredAgent.@Nullable Visibility visibility,
            @Nullable Boolean active) {}

    /** Registers an agent; a repeated request gives the first one's agent. */
    public RegisteredAgent create(Principal owner, AgentChange wish, Optional<RequestKey> request) {
        RegisteredAgent agent = new RegisteredAgent(
                UuidV7.next(),
                owner.actor(),
                wish.displayName() == null ? "Agent" : wish.displayName(),
                wish.kind() == null ? RegisteredAgent.Kind.EXTERNAL : wish.kind(),
                wish.config() == null ? Json.MAPPER.createObjectNode() : wish.config(),
                wish.visibility() == null ? RegisteredAgent.Visibility.PRIVATE : wish.visibility(),
                wish.active() == null || wish.active(),
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

    /** Registers an agent that speaks from elsewhere, as part of a larger piece of work. */
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

    /** Those that the caller may bring into a thread: its own and the shared ones. */
    public List<RegisteredAgent> listUsable(Principal caller) {
        return database.read(handle -> handle.createQuery("""
                        select * from agents where is_active and (owner = :caller or visibility = 'shared')
                        order by created_at, agent_id limit 1000""")
                .bind("caller", caller.actor().value())
                .map((row, context) -> read(row))
                .list());
    }

    /**
     * Those of a name that the caller may mean: its own, or else the server's, which also have the names of their file.
     * Strangers' are never meant by name, since anybody may give an agent any.
     */
    private List<RegisteredAgent> listCalled(Principal caller, String name) {
        List<RegisteredAgent> called = database.read(handle -> handle.createQuery("""
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
        List<RegisteredAgent> own = called.stream()
                .filter(agent -> agent.owner().equals(caller.actor()))
                .toList();
        return own.isEmpty() ? called : own;
    }

    /** An agent of the caller's own. */
    public RegisteredAgent requireOwned(Principal owner, UUID id) {
        return database.read(handle -> requireOwned(handle, owner, id));
    }

    private static RegisteredAgent requireOwned(Handle handle, Principal owner, UUID id) {
        return find(handle, id)
                .filter(agent -> agent.owner().equals(owner.actor()))
                .orElseThrow(Agents::notFound);
    }

    /** An agent that the caller may bring into a thread: its own, or a shared one; or itself. */
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
     * An agent that the caller may use, by its id, its actor or its name; a name is one of {@link #listCalled}.
     *
     * @param field where the caller wrote it, for the refusal of a name that several agents have
     */
    public RegisteredAgent requireUsable(Principal caller, String field, String given) {
        if (given.startsWith(AGENT) || UuidV7.parseCanonical(given).isPresent()) {
            return requireUsable(
                    caller,
                    Actor.parse(given.startsWith(AGENT) ? given : AGENT + given)
                            .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                            .orElseThrow(Agents::notFound));
        }
        List<RegisteredAgent> called = Text.isStorable(given) ? listCalled(caller, given) : List.of();
        if (called.size() > 1) {
            throw ProblemException.invalidField(field, "is the name of several agents; say which one by its id");
        }
        return called.stream().findFirst().orElseThrow(Agents::notFound);
    }

    /** An agent, whoever asks. */
    public Optional<RegisteredAgent> find(Actor agent) {
        return UuidV7.parseCanonical(agent.value().substring(AGENT.length()))
                .flatMap(id -> database.read(handle -> find(handle, id)));
    }

    /** Whose names for things a caller uses: its own, or its owner's if it is an agent, whose guest it is. */
    public Actor ownerFor(Principal caller) {
        return caller instanceof Principal.Agent agent
                ? find(agent.actor()).map(RegisteredAgent::owner).orElse(agent.actor())
                : caller.actor();
    }

    /** Changes what the wish names; its kind is for life. */
    public RegisteredAgent update(Principal owner, UUID id, AgentChange wish) {
        return database.transact(handle -> {
            RegisteredAgent now = requireOwned(handle, owner, id);
            if (wish.kind() != null && wish.kind() != now.kind()) {
                throw ProblemException.invalidField("kind", "cannot be changed; register another agent");
            }
            if (wish.active() != null && wish.active() != now.active()) {
                ThreadFactsCache.outdate(handle, now.actor());
            }
            // One statement, so that two who change different things at once both succeed.
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
                    .bind("name", wish.displayName())
                    .bind("config", wish.config() == null ? null : Json.MAPPER.writeValueAsString(wish.config()))
                    .bind("visibility", wish.visibility() == null ? null : wire(wish.visibility()))
                    .bind("active", wish.active())
                    .map((row, context) -> read(row))
                    .findOne()
                    .orElseThrow(Agents::notFound);
        });
    }

    /** Switches an agent off for good: it stays in the log's past, its tokens are dead, nobody can bring it anywhere. */
    public void delete(Principal owner, UUID id) {
        database.transact(handle -> {
            // The agent first: a token that is being made at this moment holds it, and is seen after it.
            int deleted = handle.createUpdate("""
                            update agents set is_active = false, owner = :nobody
                            where agent_id = :id and owner = :owner""")
                    .bind("id", id)
                    .bind("owner", owner.actor().value())
                    .bind("nobody", Actor.SYSTEM.value())
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
