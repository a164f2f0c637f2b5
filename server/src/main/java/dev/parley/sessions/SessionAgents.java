package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.Optional;
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

        private boolean isNobody() {
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

    /** Whether an agent is one that the sessions of the caller's owner have named. */
    boolean has(Principal caller, Actor agent) {
        Actor owner = agents.ownerFor(caller);
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from session_agents where owner = :owner and 'agent:' || agent_id = :agent)""")
                .bind("owner", owner.value())
                .bind("agent", agent.value())
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

    private static Optional<Actor> find(Handle handle, Actor owner, Named named) {
        return handle.createQuery("select agent_id from session_agents where owner = :owner and name = :name")
                .bind("owner", owner.value())
                .bind("name", named.key())
                .mapTo(UUID.class)
                .findOne()
                .map(Actor::agent);
    }

    private Actor claim(Handle handle, Actor owner, Named named) {
        int already = handle.createQuery("select count(*) from session_agents where owner = :owner")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
        if (already >= limits.sessionAgents()) {
            throw new ProblemException(
                    Problem.TOO_MANY_AGENTS,
                    "Your sessions name " + limits.sessionAgents() + " agents already, which is the limit.");
        }
        UUID id = UuidV7.next();
        int claimed = handle.createUpdate("""
                        insert into session_agents (owner, name, agent_id) values (:owner, :name, :id)
                        on conflict do nothing""")
                .bind("owner", owner.value())
                .bind("name", named.key())
                .bind("id", id)
                .execute();
        if (claimed == 0) {
            return find(handle, owner, named).orElseThrow();
        }
        agents.register(handle, id, owner, named.shownName());
        return Actor.agent(id);
    }
}
