package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.log.Change;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Participants;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.ThreadSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Determines the authors of a session's messages. A client writes as itself, as its agents, and as people of its own
 * product under names of its choice. A person of this server writes only with a credential of their own.
 */
final class SessionAuthors {
    /** The prefix of the actor ids of people in a client's product. */
    private static final String PEOPLE = "agno:";

    private final SessionAgents agents;
    private final SessionRunOwners owners;
    private final int maxParticipants;

    SessionAuthors(SessionAgents agents, SessionRunOwners owners, int maxParticipants) {
        this.agents = agents;
        this.owners = owners;
        this.maxParticipants = maxParticipants;
    }

    /**
     * Refuses a caller that adds to another owner's run.
     *
     * @param thread empty if the session is not created yet
     * @param runs the runs that the caller adds messages or events to
     */
    Roster rosterOf(Principal caller, Optional<ThreadRoster> thread, Set<String> runs) {
        thread.ifPresent(roster -> owners.require(caller, roster, runs));
        return new Roster(caller, thread);
    }

    /** The authors of one post. Authors who are no participants have to join the thread. */
    final class Roster {
        private final Principal caller;
        private final Set<Actor> members;
        private final boolean mayBring;
        private final Map<SessionAgents.AgentNames, Actor> named = new LinkedHashMap<>();
        private final Map<Actor, String> joining = new LinkedHashMap<>();

        private Roster(Principal caller, Optional<ThreadRoster> thread) {
            this.caller = caller;
            this.members = thread.map(roster -> roster.members().stream()
                            .map(ThreadSnapshot.Member::actor)
                            .collect(Collectors.toSet()))
                    .orElseGet(() -> agents.foundersFor(caller));
            this.mayBring = caller.scopes().contains(Capability.CAN_MANAGE_PARTICIPANTS)
                    && thread.map(roster -> roster.allows(caller.actor(), Capability.CAN_MANAGE_PARTICIPANTS))
                            .orElse(true);
        }

        Actor authorOf(NewChatEvent event) {
            return event.role().equals("user")
                    ? person(event.wrapper().userId())
                    : agent(event.wrapper().named());
        }

        private Actor person(@Nullable String userId) {
            String own = caller.actor().value();
            if (userId == null || userId.equals(own) || own.equals("user:" + userId)) {
                return caller.actor();
            }
            String name = Text.mended(userId);
            return join(new Actor(PEOPLE + name), name);
        }

        Actor agent(SessionAgents.AgentNames name) {
            return join(named.computeIfAbsent(name, each -> agents.of(caller, each)), name.shownName());
        }

        private Actor join(Actor actor, String name) {
            if (!members.contains(actor)) {
                joining.put(actor, name);
            }
            return actor;
        }

        /** Adds authors who are not participants, if the caller may add them and there is room. */
        List<Change> joining(ThreadId thread) {
            Map<Actor, String> fitting = joining.entrySet().stream()
                    .limit(Math.max(0, maxParticipants - members.size()))
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
            return mayBring && !fitting.isEmpty() ? Participants.joining(thread, caller.actor(), fitting) : List.of();
        }
    }
}
