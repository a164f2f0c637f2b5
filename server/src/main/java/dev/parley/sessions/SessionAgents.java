package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The agents of sessions, created on first use. An owner's client names an agent by an id, by a name, or by both. Each
 * agent has at most one key of either kind, so an id and a name that were given together mean one agent from then on.
 */
public final class SessionAgents {
    private static final String NAMELESS = "Agent";

    private final Database database;
    private final Agents agents;
    private final Limits.Sessions limits;

    public SessionAgents(Database database, Agents agents, Limits.Sessions limits) {
        this.database = database;
        this.agents = agents;
        this.limits = limits;
    }

    /** A client's names for an agent. A team that answers as itself counts as an agent. */
    public record AgentNames(
            @Nullable String agentId,
            @Nullable String agentName,
            @Nullable String teamName) {
        private @Nullable String idKey() {
            return agentId == null ? null : "id/" + agentId;
        }

        /**
         * The key of the agent's name; null if there is no name. A team's name is not used as the name of its members.
         */
        private @Nullable String nameKey() {
            String name = agentId == null || agentName != null ? shownName() : teamName == null ? agentId : null;
            return name == null ? null : "name/" + name;
        }

        /** The name that others see. */
        String shownName() {
            if (agentName != null) {
                return agentName;
            }
            if (teamName != null) {
                return teamName;
            }
            return agentId != null ? agentId : NAMELESS;
        }

        boolean isEmpty() {
            return agentId == null && agentName == null && teamName == null;
        }
    }

    /** The agent that the names mean. A calling agent that gives no names means itself. */
    Actor of(Principal caller, AgentNames named) {
        if (caller instanceof Principal.Agent agent && (named.isEmpty() || isNameOf(agent, named))) {
            return agent.actor();
        }
        Actor owner = agents.ownerFor(caller);
        Meaning meaning = database.read(handle -> find(handle, owner, named));
        AgentMatch found = meaning.agent();
        return found != null && meaning.newKeys().isEmpty()
                ? Actor.agent(found.id())
                : database.transact(handle -> claim(handle, owner, named));
    }

    /** The first participants of a caller's session: the caller, and its owner if it is an agent. */
    Set<Actor> foundersFor(Principal caller) {
        return new HashSet<>(List.of(caller.actor(), agents.ownerFor(caller)));
    }

    /** True if the sessions of the caller's owner have named the agent, and it is still active. */
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

    private static boolean isNameOf(Principal.Agent agent, AgentNames named) {
        return named.agentId() == null
                ? agent.displayName().equals(named.agentName())
                : named.agentId().equals(agent.id().toString());
    }

    /** Looks up the keys of the names. A deleted agent has no owner, so its keys find nothing. */
    private static Meaning find(Handle handle, Actor owner, AgentNames named) {
        Map<String, AgentMatch> byKey = handle.createQuery("""
                        select s.name, a.agent_id, a.is_active,
                            exists (select from session_agents k
                                where k.agent_id = a.agent_id and k.name like 'id/%') as has_id,
                            exists (select from session_agents k
                                where k.agent_id = a.agent_id and k.name like 'name/%') as has_name
                        from session_agents s join agents a on a.agent_id = s.agent_id and a.owner = s.owner
                        where s.owner = :owner and s.name in (:id, :name)""")
                .bind("owner", owner.value())
                .bind("id", named.idKey())
                .bind("name", named.nameKey())
                .map((row, context) -> Map.entry(
                        row.getString("name"),
                        new AgentMatch(
                                row.getObject("agent_id", UUID.class),
                                row.getBoolean("is_active"),
                                row.getBoolean("has_id"),
                                row.getBoolean("has_name"))))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
        Meaning meaning = new Meaning(named, byKey);
        if (meaning.agent() != null && !meaning.agent().active()) {
            throw new ProblemException(
                    Problem.AGENT_NOT_FOUND,
                    "The agent " + named.shownName() + " is switched off; switch it on to use it.");
        }
        return meaning;
    }

    private record AgentMatch(UUID id, boolean active, boolean hasId, boolean hasName) {}

    /** The agents that the keys identify. */
    private record Meaning(AgentNames named, Map<String, AgentMatch> byKey) {
        /** The agent with the id, or else the agent with the name if that agent has no other id. */
        @Nullable
        AgentMatch agent() {
            AgentMatch called = byKey.get(named.nameKey());
            if (named.idKey() == null) {
                return called;
            }
            AgentMatch identified = byKey.get(named.idKey());
            return identified == null && called != null && !called.hasId() ? called : identified;
        }

        /** The keys that the agent gets: a key of each kind that the agent lacks, unless another agent has the key. */
        List<String> newKeys() {
            AgentMatch agent = agent();
            List<String> keys = new ArrayList<>();
            if (named.idKey() != null && (agent == null || !agent.hasId())) {
                keys.add(named.idKey());
            }
            if (named.nameKey() != null && !byKey.containsKey(named.nameKey()) && (agent == null || !agent.hasName())) {
                keys.add(named.nameKey());
            }
            return keys;
        }
    }

    private Actor claim(Handle handle, Actor owner, AgentNames named) {
        // One claim at a time for each owner, so that the count includes other claims.
        handle.createQuery("select 1 from pg_advisory_xact_lock(hashtextextended('session_agents ' || :owner, 0))")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
        Meaning meaning = find(handle, owner, named);
        AgentMatch found = meaning.agent();
        UUID agent = found == null ? add(handle, owner, named) : found.id();
        for (String key : meaning.newKeys()) {
            // The key may belong to a deleted agent.
            handle.createUpdate("""
                            insert into session_agents (owner, name, agent_id) values (:owner, :name, :id)
                            on conflict (owner, name) do update set agent_id = excluded.agent_id""")
                    .bind("owner", owner.value())
                    .bind("name", key)
                    .bind("id", agent)
                    .execute();
        }
        return Actor.agent(agent);
    }

    private UUID add(Handle handle, Actor owner, AgentNames named) {
        int already = handle.createQuery("""
                        select count(distinct s.agent_id)
                        from session_agents s join agents a on a.agent_id = s.agent_id and a.owner = s.owner
                        where s.owner = :owner""")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
        if (already >= limits.agents()) {
            throw new ProblemException(
                    Problem.TOO_MANY_AGENTS, "Your sessions name " + limits.agents() + " agents, which is the limit.");
        }
        UUID id = UuidV7.next();
        agents.register(handle, id, owner, named.shownName());
        return id;
    }
}
