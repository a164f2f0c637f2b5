package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.log.Digest;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The front door of threads: creates, lists, changes and deletes them. */
public final class Threads {
    private static final Set<String> TYPES = Set.of("public", "workspace", "private");
    /** The number of threads that a search by title reads for one page. */
    static final int MAX_SEARCHED = 1_000;

    private final Database database;
    private final ThreadAccess access;
    private final Participants participants;
    private final ThreadUpdates updates;
    private final int maxTitle;
    private final Clock clock;

    public Threads(
            Database database,
            Log log,
            ThreadAccess access,
            Participants participants,
            Limits.Threads limits,
            Clock clock) {
        this.database = database;
        this.access = access;
        this.participants = participants;
        this.updates = new ThreadUpdates(log);
        this.maxTitle = limits.title();
        this.clock = clock;
    }

    /**
     * A thread to create.
     *
     * @param title the title; null if there is no title yet
     * @param reuse true to return an existing thread with the same set of participants, if there is one
     */
    public record Plan(
            String type, @Nullable String title, String participationMode, List<Actor> participants, boolean reuse) {}

    /** @param reused true if the thread existed before for the same set of participants */
    public record Created(ThreadId id, boolean reused) {}

    /** Creates a thread with the caller as its manager; a repeated request returns the thread of the first request. */
    public Created create(Principal caller, Plan plan, Optional<RequestKeys.RequestKey> request) {
        caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        if (!TYPES.contains(plan.type())) {
            throw ProblemException.invalidField("thread_type", "must be public, workspace or private");
        }
        ParticipationMode mode = ParticipationMode.require(plan.participationMode());
        if (plan.title() != null) {
            requireTitle(plan.title());
        }
        Set<Actor> others = participants.requireRoom(caller, plan.participants(), 1);
        // The key is looked up before names are resolved, because a participant of the first request may no longer
        // exist.
        Optional<UUID> before = request.flatMap(key -> database.read(handle -> RequestKeys.find(handle, key)));
        if (before.isPresent()) {
            return new Created(new ThreadId(before.get()), plan.reuse());
        }
        List<NewMemberRow> members = new ArrayList<>();
        members.add(Participants.manager(caller));
        members.addAll(participants.members(caller, others, Capability.TAKE_PART));
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

    private static Digest setOf(List<NewMemberRow> members) {
        Digest.Builder set = new Digest.Builder();
        members.stream().map(member -> member.actor().value()).sorted().forEach(set::add);
        return set.finish();
    }

    /** Creates a thread under an id that its client chose, for the caller and one agent, unless it exists. */
    public void createFor(Principal caller, ThreadId id, Actor agent) {
        List<NewMemberRow> members = new ArrayList<>();
        members.add(Participants.manager(caller));
        members.addAll(participants.members(caller, Set.of(agent), Capability.TAKE_PART));
        create(caller, id, members, clock.instant(), null);
    }

    /**
     * Creates a thread with the caller and an owner as its managers, unless the thread exists.
     *
     * @param owner the caller's owner if the caller is an agent; otherwise the caller
     * @param createdAt the time at which the conversation began
     */
    public void createUnder(Principal caller, ThreadId id, Actor owner, Instant createdAt, @Nullable String title) {
        List<NewMemberRow> members = new ArrayList<>();
        members.add(Participants.manager(caller));
        if (!owner.equals(caller.actor())) {
            members.add(participants.manager(caller, owner));
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

    public void requireTitle(String title) {
        Text.requireStorable("title", title);
        Text.requireAtMost("title", title, maxTitle);
    }

    /**
     * A page of the caller's threads, the most active first. A page of a search may be short and still have a cursor.
     */
    public record Page(
            List<ThreadSnapshot> threads, @Nullable String nextCursor) {}

    public Page list(Principal caller, @Nullable String cursor, boolean archived, @Nullable String words, int limit) {
        caller.requireScope(Capability.CAN_READ);
        ThreadStore.ListCursor after = cursor == null ? null : ListCursors.require(cursor);
        String pattern = words == null || words.isBlank() ? null : ListCursors.pattern(words);
        return database.read(handle -> {
            // Titles are not indexed: a search reads a bounded number of threads, and its cursor goes on from there.
            int rows = pattern == null ? limit + 1 : Math.max(limit + 1, MAX_SEARCHED);
            ThreadStore.ListQuery query = new ThreadStore.ListQuery(after, archived, pattern, rows);
            List<ThreadStore.Listed> passed = ThreadStore.page(handle, caller.actor(), query);
            List<ThreadStore.ListCursor> matches = passed.stream()
                    .filter(ThreadStore.Listed::matches)
                    .map(ThreadStore.Listed::place)
                    .toList();
            List<ThreadStore.ListCursor> page = matches.subList(0, Math.min(limit, matches.size()));
            List<ThreadSnapshot> threads = ThreadStore.find(
                    handle,
                    page.stream().map(ThreadStore.ListCursor::thread).toList(),
                    caller.actor(),
                    ThreadAccess.sourceOf(caller));
            if (matches.size() > limit) {
                return new Page(threads, ListCursors.write(page.getLast()));
            }
            return new Page(
                    threads,
                    passed.size() == rows ? ListCursors.write(passed.getLast().place()) : null);
        });
    }

    public void rename(Principal caller, ThreadId thread, String title) {
        requireTitle(title);
        updates.append(caller, new ThreadEffect.Renamed(thread, title), Map.of("title", title));
    }

    public void archive(Principal caller, ThreadId thread, boolean archived) {
        updates.append(caller, new ThreadEffect.Archived(thread, archived), Map.of("is_archived", archived));
    }

    /** Sets the mode of the whole thread, or of one agent in it; null removes an agent's override. */
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
                    || access.requireManaged(caller, thread).member(agent).isEmpty()) {
                throw ProblemException.invalidField("agent_id", "names no agent of this thread");
            }
            payload.put("sender_id", agent.value());
        }
        updates.append(caller, new ThreadEffect.ModeSet(thread, agent, mode), payload);
    }

    public void delete(Principal caller, ThreadId thread) {
        updates.append(caller, new ThreadEffect.Deleted(thread), Map.of("is_deleted", true));
    }

    /** Moves the caller's read mark forward; returns the new mark. */
    public long markRead(Principal caller, ThreadId thread, long seq) {
        caller.requirePlace();
        access.requireReadable(caller, thread);
        return database.transact(handle -> ThreadStore.markRead(handle, thread, caller.actor(), seq))
                .orElseThrow(ThreadAccess::notFound);
    }
}
