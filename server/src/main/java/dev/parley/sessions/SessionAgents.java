package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The agents of sessions: whoever an owner's client names by an id or a name is one agent of that owner, made on first use. */
public final class SessionAgents {
    private static final String NAMELESS = "Agent";

    private final Database database;
    private final Agents agents;
    private final Limits limits;

    public SessionAgents(Database database, Agents agents, Limits limits) {
        this.database = database;
        this.agents = agents;
        this.limits = limits;
    }

    /** What a client calls an agent; a team that speaks itself is one. */
    public record Named(
            @Nullable String agentId,
            @Nullable String agentName,
            @Nullable String teamName) {
        private String key() {
            if (agentId != null) {
                return "id/" + agentId;
            }
            return "name/" + shownName();
        }

        /** What others see. */
        String shownName() {
            if (agentName != null) {
                return agentName;
            }
            if (teamName != null) {
                return teamName;
            }
            return agentId != null ? agentId : NAMELESS;
        }

        boolean isNobody() {
            return agentId == null && agentName == null && teamName == null;
        }
    }

    /** The agent that a caller means. An agent that names nobody means itself. */
    public Actor of(Principal caller, Named named) {
        if (caller instanceof Principal.Agent agent && (named.isNobody() || isNameOf(agent, named))) {
            return agent.actor();
        }
        Actor owner = agents.ownerFor(caller);
        return find(owner, named).orElseGet(() -> database.transact(handle -> claim(handle, owner, named)));
    }

    /** Who is in a session of the caller's from its beginning: itself, and its owner if it is an agent. */
    Set<Actor> foundersFor(Principal caller) {
        return new HashSet<>(List.of(caller.actor(), agents.ownerFor(caller)));
    }

    /** Whether an agent is one that the sessions of the caller's owner have named, and may still speak. */
    boolean has(Principal caller, Actor agent) {
        Actor owner = agents.ownerFor(caller);
        return agents.find(agent)
                .filter(found -> found.active() && found.owner().equals(owner))
                .filter(found -> isNamed(owner, found.id()))
                .isPresent();
    }

    private boolean isNamed(Actor owner, UUID agent) {
        return database.read(handle -> handle.createQuery(
                        "select exists (select from session_agents where agent_id = :agent and owner = :owner)")
                .bind("agent", agent)
                .bind("owner", owner.value())
                .mapTo(Boolean.class)
                .one());
    }

    private static boolean isNameOf(Principal.Agent agent, Named named) {
        return named.agentId() == null
                ? agent.displayName().equals(named.agentName())
                : named.agentId().equals(agent.id().toString());
    }

    private Optional<Actor> find(Actor owner, Named named) {
        return database.read(handle -> find(handle, owner, named));
    }

    /** The agent of a name that has one. A deleted agent has no owner any more: its name means nobody. */
    private static Optional<Actor> find(Handle handle, Actor owner, Named named) {
        Optional<Found> found = handle.createQuery("""
                        select a.agent_id, a.is_active
                        from session_agents s join agents a on a.agent_id = s.agent_id and a.owner = s.owner
                        where s.owner = :owner and s.name = :name""")
                .bind("owner", owner.value())
                .bind("name", named.key())
                .map((row, context) -> new Found(row.getObject("agent_id", UUID.class), row.getBoolean("is_active")))
                .findOne();
        if (found.isPresent() && !found.get().active()) {
            throw new ProblemException(Problem.AGENT_NOT_FOUND, "The agent " + named.shownName() + " is switched off.");
        }
        return found.map(each -> Actor.agent(each.id()));
    }

    private record Found(UUID id, boolean active) {}

    private Actor claim(Handle handle, Actor owner, Named named) {
        // One at a time for each owner: whoever counts must see what others add.
        handle.createQuery("select 1 from pg_advisory_xact_lock(hashtextextended('session_agents ' || :owner, 0))")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
        return find(handle, owner, named).orElseGet(() -> add(handle, owner, named));
    }

    private Actor add(Handle handle, Actor owner, Named named) {
        int already = handle.createQuery("""
                        select count(*)
                        from session_agents s join agents a on a.agent_id = s.agent_id and a.owner = s.owner
                        where s.owner = :owner""")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
        if (already >= limits.sessionAgents()) {
            throw new ProblemException(
                    Problem.TOO_MANY_AGENTS,
                    "Your sessions name " + limits.sessionAgents() + " agents already, which is the limit.");
        }
        UUID id = UuidV7.next();
        // The name may have been that of an agent which was deleted.
        handle.createUpdate("""
                        insert into session_agents (owner, name, agent_id) values (:owner, :name, :id)
                        on conflict (owner, name) do update set agent_id = excluded.agent_id""")
                .bind("owner", owner.value())
                .bind("name", named.key())
                .bind("id", id)
                .execute();
        agents.register(handle, id, owner, named.shownName());
        return Actor.agent(id);
    }
}
