package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The participants of threads: who joins, under which name and with which capabilities, and who leaves. */
public final class Participants {
    private static final String REMOVED = "participant_removed";

    private final ThreadAccess access;
    private final ThreadUpdates updates;
    private final Directory directory;
    private final int maxParticipants;

    /** @param maxParticipants the maximum number of participants in one thread */
    public Participants(ThreadAccess access, Log log, Directory directory, int maxParticipants) {
        this.access = access;
        this.updates = new ThreadUpdates(log);
        this.directory = directory;
        this.maxParticipants = maxParticipants;
    }

    /** Resolves the display name of each participant a caller adds; rejects participants the caller may not add. */
    public interface Directory {
        String displayNameOf(Principal caller, Actor actor);
    }

    /**
     * @param capabilities the capabilities of all new participants; an existing participant keeps its own capabilities
     */
    public void add(Principal caller, ThreadId thread, List<Actor> actors, Set<Capability> capabilities) {
        ThreadSnapshot now = access.requireManaged(caller, thread);
        List<Actor> fresh =
                actors.stream().filter(actor -> now.member(actor).isEmpty()).toList();
        // The append counts again; this count refuses before names are resolved.
        List<NewMemberRow> members =
                members(caller, requireRoom(caller, fresh, now.members().size()), capabilities);
        if (!members.isEmpty()) {
            updates.append(caller, new ThreadEffect.Joined(thread, members), added(members));
        }
    }

    /** Changes the capabilities of a participant; appends no event if they stay the same. */
    public void changeCapabilities(Principal caller, ThreadId thread, Actor actor, Set<Capability> capabilities) {
        ThreadSnapshot.Member member =
                access.requireManaged(caller, thread).member(actor).orElseThrow(Participants::noMember);
        requireFitting(actor, capabilities);
        if (!Set.copyOf(member.capabilities()).equals(capabilities)) {
            NewMemberRow changed = new NewMemberRow(actor, member.displayName(), Capability.toBits(capabilities));
            updates.append(
                    caller,
                    new ThreadEffect.CapabilitiesChanged(thread, actor, changed.capabilities()),
                    Map.of("participant_changed", described(changed)));
        }
    }

    public void remove(Principal caller, ThreadId thread, Actor member) {
        caller.requirePlace();
        ThreadEffect effect = member.equals(caller.actor())
                ? new ThreadEffect.Left(thread, member)
                : new ThreadEffect.Removed(thread, member);
        caller.requireScope(effect.needs());
        if (access.requireSnapshot(caller, thread).member(member).isEmpty()) {
            throw noMember();
        }
        updates.append(caller, effect, Map.of(REMOVED, member.value()));
    }

    /** The actor that an event removes from its thread. */
    public static Optional<Actor> removedBy(Event event) {
        return event instanceof Event.Announced announced && announced.payload().contains(REMOVED)
                ? Json.MAPPER
                        .readTree(announced.payload())
                        .path(REMOVED)
                        .asStringOpt()
                        .map(Actor::new)
                : Optional.empty();
    }

    /**
     * The effect by which an agent joins. It belongs into the same command as the caller's own change, so that both are
     * decided together.
     */
    public ThreadEffect joining(Principal caller, ThreadId thread, Actor agent) {
        return new ThreadEffect.Joined(thread, members(caller, Set.of(agent), Capability.TAKE_PART));
    }

    /** The changes by which actors join under the given names, with the event that announces them. */
    public static List<Change> joining(ThreadId thread, Actor by, Map<Actor, String> names) {
        List<NewMemberRow> members = names.entrySet().stream()
                .map(each -> new NewMemberRow(each.getKey(), each.getValue(), Capability.toBits(Capability.TAKE_PART)))
                .toList();
        return joining(thread, by, members);
    }

    static List<Change> joining(ThreadId thread, Actor by, List<NewMemberRow> members) {
        return List.of(
                new Change.Apply(new ThreadEffect.Joined(thread, members)),
                new Change.Announce("thread_updated", by, Json.MAPPER.writeValueAsString(added(members))));
    }

    private static Map<String, Object> added(List<NewMemberRow> members) {
        return Map.of(
                "participants_added",
                members.stream().map(Participants::described).toList());
    }

    static NewMemberRow manager(Principal caller) {
        return manager(caller.actor(), caller.displayName());
    }

    NewMemberRow manager(Principal caller, Actor owner) {
        return manager(owner, directory.displayNameOf(caller, owner));
    }

    private static NewMemberRow manager(Actor actor, String displayName) {
        return new NewMemberRow(actor, displayName, Capability.toBits(Capability.ALL));
    }

    List<NewMemberRow> members(Principal caller, Set<Actor> others, Set<Capability> capabilities) {
        List<NewMemberRow> members = new ArrayList<>();
        for (Actor other : others) {
            requireFitting(other, capabilities);
            members.add(
                    new NewMemberRow(other, directory.displayNameOf(caller, other), Capability.toBits(capabilities)));
        }
        return members;
    }

    /** The actors other than the caller, each once; refused if the thread has no room for them. */
    Set<Actor> requireRoom(Principal caller, List<Actor> actors, int already) {
        Set<Actor> others = new LinkedHashSet<>(actors);
        others.remove(caller.actor());
        if (others.size() + already > maxParticipants) {
            throw RoomCheck.full(maxParticipants).toException();
        }
        return others;
    }

    /**
     * Refuses the capability to manage for people of other platforms, because they have no credential with which they
     * could manage.
     */
    private static void requireFitting(Actor actor, Set<Capability> capabilities) {
        if (actor.kind() == Actor.Kind.EXTERNAL && capabilities.contains(Capability.CAN_MANAGE_PARTICIPANTS)) {
            throw ProblemException.invalidField(
                    "capabilities", "cannot include can_manage_participants for a participant of another platform");
        }
    }

    /** The data by which a viewer can show a new participant without another request. */
    private static Map<String, Object> described(NewMemberRow member) {
        return Map.of(
                "sender_id",
                member.actor().value(),
                "participant_kind",
                member.actor().kind().name().toLowerCase(Locale.ROOT),
                "display_name",
                member.displayName(),
                "capabilities",
                Capability.fromBits(member.capabilities()).stream()
                        .map(Capability::wire)
                        .toList());
    }

    private static ProblemException noMember() {
        return new ProblemException(Problem.PARTICIPANT_NOT_FOUND, "The thread has no participant with this id.");
    }
}
