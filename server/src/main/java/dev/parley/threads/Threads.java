package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The front door of threads: making, finding and changing them, and the one rule about who may see them. */
public final class Threads {
    private static final Set<String> TYPES = Set.of("public", "workspace", "private");
    private static final String REMOVED = "participant_removed";
    /** How many threads a search by title looks through for one page. */
    static final int SEARCHED = 1_000;

    private final Database database;
    private final Log log;
    private final Directory directory;
    private final Limits.Threads limits;
    private final Clock clock;

    public Threads(Database database, Log log, Directory directory, Limits.Threads limits, Clock clock) {
        this.database = database;
        this.log = log;
        this.directory = directory;
        this.limits = limits;
        this.clock = clock;
    }

    /** Names and vouches for those whom a caller brings into a thread; throws a problem for whom it may not bring. */
    public interface Directory {
        String displayNameOf(Principal caller, Actor actor);
    }

    /**
     * A thread somebody wants to make.
     *
     * @param title null for none yet
     * @param reuse give the thread that was made for the same set of people, as it is, if there is one
     */
    public record Plan(
            String type, @Nullable String title, String participationMode, List<Actor> participants, boolean reuse) {}

    /** @param reused whether it is the one that was made before for the same set of people */
    public record Created(ThreadId id, boolean reused) {}

    /** Makes a thread with the caller as its manager; a repeated request gives the first one's thread. */
    public Created create(Principal caller, Plan plan, Optional<RequestKeys.RequestKey> request) {
        caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        if (!TYPES.contains(plan.type())) {
            throw ProblemException.invalidField("thread_type", "must be public, workspace or private");
        }
        ParticipationMode mode = ParticipationMode.require(plan.participationMode());
        if (plan.title() != null) {
            requireTitle(plan.title());
        }
        Set<Actor> others = others(caller, plan.participants(), 1);
        // Before anybody is looked up: who was found the first time need not be there any more.
        Optional<UUID> before = request.flatMap(key -> database.read(handle -> RequestKeys.find(handle, key)));
        if (before.isPresent()) {
            return new Created(new ThreadId(before.get()), plan.reuse());
        }
        List<NewMemberRow> members = new ArrayList<>();
        members.add(manager(caller.actor(), caller.displayName()));
        members.addAll(members(caller, others, Capability.TAKE_PART));
        NewThreadRow thread = new NewThreadRow(
                ThreadId.fresh(),
                plan.type(),
                plan.title(),
                mode.wire(),
                caller.actor(),
                clock.instant().truncatedTo(ChronoUnit.MICROS),
                plan.reuse() ? setOf(members) : null,
                null);
        return database.transact(handle -> request.flatMap(
                        key -> RequestKeys.taken(handle, key, thread.id().value()))
                .map(again -> new Created(new ThreadId(again), plan.reuse()))
                .orElseGet(() -> {
                    ThreadId made = ThreadStore.insert(handle, thread, members);
                    if (!made.equals(thread.id())) {
                        request.ifPresent(key -> RequestKeys.cameTo(handle, key, made.value()));
                    }
                    return new Created(made, !made.equals(thread.id()));
                }));
    }

    /** Whether an id names a thread, or one that was deleted; who may see it is another question. */
    public boolean isTaken(ThreadId thread) {
        return database.read(handle -> ThreadStore.isTaken(handle, thread));
    }

    /** Makes a thread under an id that its client chose, for the caller and one agent, unless there is one already. */
    public void createFor(Principal caller, ThreadId id, Actor agent) {
        List<NewMemberRow> members = new ArrayList<>();
        members.add(manager(caller.actor(), caller.displayName()));
        members.addAll(members(caller, Set.of(agent), Capability.TAKE_PART));
        create(caller, id, members, clock.instant(), null);
    }

    /** The same for the caller and the one whose guest it is, with the time at which the conversation began. */
    public void createUnder(Principal caller, ThreadId id, Actor owner, Instant createdAt, @Nullable String title) {
        List<NewMemberRow> members = new ArrayList<>();
        members.add(manager(caller.actor(), caller.displayName()));
        if (!owner.equals(caller.actor())) {
            members.add(manager(owner, directory.displayNameOf(caller, owner)));
        }
        create(caller, id, members, createdAt, title);
    }

    private void create(
            Principal caller, ThreadId id, List<NewMemberRow> members, Instant createdAt, @Nullable String title) {
        caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        if (title != null) {
            requireTitle(title);
        }
        NewThreadRow thread = new NewThreadRow(
                id,
                "private",
                title,
                ParticipationMode.OPEN.wire(),
                caller.actor(),
                createdAt.truncatedTo(ChronoUnit.MICROS),
                null,
                null);
        database.transact(handle -> ThreadStore.insert(handle, thread, members));
    }

    private static NewMemberRow manager(Actor actor, String displayName) {
        return new NewMemberRow(actor, displayName, Capability.toBits(Capability.ALL));
    }

    /** Some join along with what is done, under these names. */
    public static List<Change> joining(ThreadId thread, Actor by, Map<Actor, String> names) {
        List<NewMemberRow> members = names.entrySet().stream()
                .map(each -> new NewMemberRow(each.getKey(), each.getValue(), Capability.toBits(Capability.TAKE_PART)))
                .toList();
        return joining(thread, by, members);
    }

    static List<Change> joining(ThreadId thread, Actor by, List<NewMemberRow> members) {
        return List.of(
                new Change.Apply(new ThreadEffect.Joined(thread, members)),
                new Change.Announce(
                        "thread_updated",
                        by,
                        Json.MAPPER.writeValueAsString(Map.of(
                                "participants_added",
                                members.stream().map(Threads::described).toList()))));
    }

    /** An agent joins along with what the caller does; judged with it. */
    public ThreadEffect joining(Principal caller, ThreadId thread, Actor agent) {
        return new ThreadEffect.Joined(thread, members(caller, Set.of(agent), Capability.TAKE_PART));
    }

    /** Passes if the caller may do this in the thread: a foreign thread is not found, a known one refuses. */
    public ThreadRoster requireAllowed(Principal caller, ThreadId thread, Capability needed) {
        caller.requireScope(needed);
        ThreadRoster now = new ThreadRoster(thread, roster(caller.actor(), thread));
        if (caller instanceof Principal.Integration) {
            // It sees the threads of its source without being in them.
            requireSeen(caller, thread);
        } else if (!now.allows(caller.actor(), Capability.CAN_READ)) {
            // Not looked at once more: whoever is let in between two looks would be seen, and be allowed nothing.
            throw notFound();
        }
        if (!now.allows(caller.actor(), needed)) {
            throw MembershipCheck.lacking(needed).toException();
        }
        return now;
    }

    /** Who is in a thread, as somebody who is in it finds them; nobody if that one is not. */
    public List<ThreadSnapshot.Member> roster(Actor member, ThreadId thread) {
        return database.read(handle -> ThreadStore.roster(handle, thread, member));
    }

    private static Digest setOf(List<NewMemberRow> members) {
        Digest.Builder set = new Digest.Builder();
        members.stream().map(member -> member.actor().value()).sorted().forEach(set::add);
        return set.finish();
    }

    public void requireTitle(String title) {
        Text.requireStorable("title", title);
        Text.requireAtMost("title", title, limits.title());
    }

    /** Those of the actors who are not the caller, each once; refused if there is no room for them. */
    private Set<Actor> others(Principal caller, List<Actor> actors, int already) {
        Set<Actor> others = new LinkedHashSet<>(actors);
        others.remove(caller.actor());
        if (others.size() + already > limits.participants()) {
            throw RoomCheck.full(limits.participants()).toException();
        }
        return others;
    }

    private List<NewMemberRow> members(Principal caller, Set<Actor> others, Set<Capability> capabilities) {
        List<NewMemberRow> members = new ArrayList<>();
        for (Actor other : others) {
            requireFitting(other, capabilities);
            members.add(
                    new NewMemberRow(other, directory.displayNameOf(caller, other), Capability.toBits(capabilities)));
        }
        return members;
    }

    /** A page of the caller's threads, the most active first. One of a search may be short, with more behind its cursor. */
    public record Page(
            List<ThreadSnapshot> threads, @Nullable String nextCursor) {}

    public Page list(Principal caller, @Nullable String cursor, boolean archived, @Nullable String words, int limit) {
        caller.requireScope(Capability.CAN_READ);
        ThreadStore.ListCursor after = cursor == null ? null : ListCursors.require(cursor);
        String pattern = words == null || words.isBlank() ? null : ListCursors.pattern(words);
        return database.read(handle -> {
            String source = caller instanceof Principal.Integration integration ? integration.source() : null;
            // Titles are not indexed: a search looks through so many threads, and its cursor leads on from there.
            int rows = pattern == null ? limit + 1 : Math.max(limit + 1, SEARCHED);
            ThreadStore.ListQuery wanted = new ThreadStore.ListQuery(after, archived, pattern, rows);
            List<ThreadStore.Listed> passed = ThreadStore.page(handle, caller.actor(), wanted);
            List<ThreadStore.ListCursor> found = passed.stream()
                    .filter(ThreadStore.Listed::matches)
                    .map(ThreadStore.Listed::place)
                    .toList();
            List<ThreadStore.ListCursor> page = found.subList(0, Math.min(limit, found.size()));
            List<ThreadSnapshot> threads = ThreadStore.find(
                    handle, page.stream().map(ThreadStore.ListCursor::thread).toList(), caller.actor(), source);
            if (found.size() > limit) {
                return new Page(threads, ListCursors.write(page.getLast()));
            }
            return new Page(
                    threads,
                    passed.size() == rows ? ListCursors.write(passed.getLast().place()) : null);
        });
    }

    /** The thread as the caller sees it now; a foreign thread and a missing one look the same. */
    public ThreadSnapshot require(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_READ);
        return seen(caller, thread);
    }

    /** The thread as the answer to a change: who may change but not read it is told nothing of what is said there. */
    public ThreadSnapshot requireChanged(Principal caller, ThreadId thread) {
        return caller.scopes().contains(Capability.CAN_READ)
                ? require(caller, thread)
                : seen(caller, thread).withLast(null);
    }

    /** Whatever the scope of the credential: a write needs its own, and is then judged by the place in the thread. */
    private ThreadSnapshot seen(Principal caller, ThreadId thread) {
        String source = caller instanceof Principal.Integration integration ? integration.source() : null;
        return database.read(handle -> ThreadStore.find(handle, List.of(thread), caller.actor(), source)).stream()
                .filter(each -> source != null || each.allows(caller.actor(), Capability.CAN_READ))
                .findFirst()
                .orElseThrow(Threads::notFound);
    }

    /** Who is in the thread, for one who is in it; nobody else learns even that. */
    List<ThreadSnapshot.Member> membersFor(Actor member, ThreadId thread) {
        List<ThreadSnapshot.Member> members = roster(member, thread);
        if (members.isEmpty()) {
            throw notFound();
        }
        return members;
    }

    /** Passes if the caller may read the thread: as a participant, or as the integration it came from. */
    public void requireReadable(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_READ);
        requireSeen(caller, thread);
    }

    /** Passes if the thread is there for the caller, whose credential need not be one for reading. */
    public void requireSeen(Principal caller, ThreadId thread) {
        boolean seen = switch (caller) {
            case Principal.Integration integration ->
                database.read(handle -> ThreadStore.source(handle, thread))
                        .filter(integration.source()::equals)
                        .isPresent();
            case Principal.User user -> isReader(user.actor(), thread);
            case Principal.Agent agent -> isReader(agent.actor(), thread);
        };
        if (!seen) {
            throw notFound();
        }
    }

    /** Somebody in a thread. */
    public record Membership(ThreadId thread, Actor actor) {}

    /** Which of these places are still held by somebody who may read: a participant, or the thread's integration. */
    public Set<Membership> stillReadable(Set<Membership> places) {
        return places.isEmpty() ? Set.of() : database.read(handle -> ThreadStore.stillReadable(handle, places));
    }

    /** The time by which activity is ordered. */
    public Instant activityTime() {
        return database.read(InboxStore::now);
    }

    /** The next threads that were active after a place, on any node, in order; empty behind the last one. */
    public List<ActivePlace> activeAfter(ActivePlace place) {
        return database.read(handle -> InboxStore.activeAfter(handle, place));
    }

    /** What the given actors find in their lists for the given threads: a row for each of them in each thread. */
    public List<InboxRow> inboxOf(List<ThreadNews> news, Set<Actor> actors) {
        return database.read(handle -> InboxStore.rows(handle, news, actors));
    }

    private boolean isReader(Actor actor, ThreadId thread) {
        OptionalInt bits = database.read(handle -> ThreadStore.capabilities(handle, thread, actor));
        return bits.isPresent() && Capability.CAN_READ.in(bits.getAsInt());
    }

    public void rename(Principal caller, ThreadId thread, String title) {
        requireTitle(title);
        change(caller, new ThreadEffect.Renamed(thread, title), Map.of("title", title));
    }

    /** Passes if the caller may change the thread. A change asks again when it is appended; this is for those without one. */
    public ThreadSnapshot requireManaged(Principal caller, ThreadId thread) {
        caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadSnapshot now = seen(caller, thread);
        if (!now.allows(caller.actor(), Capability.CAN_MANAGE_PARTICIPANTS)) {
            throw MembershipCheck.lacking(Capability.CAN_MANAGE_PARTICIPANTS).toException();
        }
        return now;
    }

    public void archive(Principal caller, ThreadId thread, boolean archived) {
        change(caller, new ThreadEffect.Archived(thread, archived), Map.of("is_archived", archived));
    }

    /** Sets the mode of the whole thread, or of one agent in it; null takes an agent's override back. */
    public void setMode(Principal caller, ThreadId thread, @Nullable Actor agent, @Nullable String mode) {
        Map<String, Object> payload = new LinkedHashMap<>();
        if (agent == null || mode != null) {
            payload.put(
                    "participation_mode",
                    ParticipationMode.require(mode == null ? "" : mode).wire());
        } else {
            payload.put("participation_mode", null);
        }
        if (agent != null) {
            if (agent.kind() != Actor.Kind.AGENT
                    || requireManaged(caller, thread).member(agent).isEmpty()) {
                throw ProblemException.invalidField("agent_id", "names nobody who is an agent in this thread");
            }
            payload.put("sender_id", agent.value());
        }
        change(caller, new ThreadEffect.ModeSet(thread, agent, mode), payload);
    }

    /** @param capabilities what all of the newcomers may do; who is in already keeps its place */
    public void addParticipants(Principal caller, ThreadId thread, List<Actor> actors, Set<Capability> capabilities) {
        ThreadSnapshot now = requireManaged(caller, thread);
        List<Actor> fresh =
                actors.stream().filter(actor -> now.member(actor).isEmpty()).toList();
        // The append counts again; here it is only refused before anybody is looked up.
        List<NewMemberRow> members =
                members(caller, others(caller, fresh, now.members().size()), capabilities);
        if (!members.isEmpty()) {
            change(
                    caller,
                    new ThreadEffect.Joined(thread, members),
                    Map.of(
                            "participants_added",
                            members.stream().map(Threads::described).toList()));
        }
    }

    /** Changes what a participant may do; a place that stays as it is makes no event. */
    public void changeCapabilities(Principal caller, ThreadId thread, Actor actor, Set<Capability> capabilities) {
        ThreadSnapshot.Member member =
                requireManaged(caller, thread).member(actor).orElseThrow(Threads::noMember);
        requireFitting(actor, capabilities);
        if (!Set.copyOf(member.capabilities()).equals(capabilities)) {
            NewMemberRow place = new NewMemberRow(actor, member.displayName(), Capability.toBits(capabilities));
            change(
                    caller,
                    new ThreadEffect.CapabilitiesChanged(thread, actor, place.capabilities()),
                    Map.of("participant_changed", described(place)));
        }
    }

    /** People of other platforms have no credential to manage with. */
    private static void requireFitting(Actor actor, Set<Capability> capabilities) {
        if (actor.kind() == Actor.Kind.EXTERNAL && capabilities.contains(Capability.CAN_MANAGE_PARTICIPANTS)) {
            throw ProblemException.invalidField(
                    "capabilities", "cannot have can_manage_participants for somebody of another platform");
        }
    }

    /** Enough for a viewer to show a newcomer without asking. */
    static Map<String, Object> described(NewMemberRow member) {
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

    /** Whom this event puts out of the thread. */
    public static Optional<Actor> removedBy(Event event) {
        return event instanceof Event.Announced announced && announced.payload().contains(REMOVED)
                ? Json.MAPPER
                        .readTree(announced.payload())
                        .path(REMOVED)
                        .asStringOpt()
                        .map(Actor::new)
                : Optional.empty();
    }

    public void removeParticipant(Principal caller, ThreadId thread, Actor member) {
        caller.requirePlace();
        ThreadEffect effect = member.equals(caller.actor())
                ? new ThreadEffect.Left(thread, member)
                : new ThreadEffect.Removed(thread, member);
        caller.requireScope(effect.needs());
        if (seen(caller, thread).member(member).isEmpty()) {
            throw noMember();
        }
        change(caller, effect, Map.of(REMOVED, member.value()));
    }

    public void delete(Principal caller, ThreadId thread) {
        change(caller, new ThreadEffect.Deleted(thread), Map.of("is_deleted", true));
    }

    /** Moves the caller's marker forward; returns where it stands. */
    public long markRead(Principal caller, ThreadId thread, long seq) {
        caller.requirePlace();
        requireReadable(caller, thread);
        return database.transact(handle -> ThreadStore.markRead(handle, thread, caller.actor(), seq))
                .orElseThrow(Threads::notFound);
    }

    private void change(Principal caller, ThreadEffect effect, Map<String, Object> payload) {
        caller.requireScope(effect.needs());
        log.append(new Command(
                UuidV7.next(),
                effect.thread(),
                caller.actor(),
                List.of(
                        new Change.Apply(effect),
                        new Change.Announce(
                                "thread_updated", caller.actor(), Json.MAPPER.writeValueAsString(payload)))));
    }

    private static ProblemException noMember() {
        return new ProblemException(Problem.PARTICIPANT_NOT_FOUND, "Nobody of that id is in this thread.");
    }

    private static ProblemException notFound() {
        return Refusal.noSuchThread().toException();
    }
}
