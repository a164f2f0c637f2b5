package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.Sources;
import dev.parley.log.Command;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The threads of integrations. Such a thread is created for a source, managed by the owner of the source's key, and
 * joined by the people who write in it.
 */
public final class SourceThreads {
    private final Database database;
    private final Log log;
    private final Participants.Directory directory;
    private final int maxParticipants;
    private final Clock clock;

    public SourceThreads(
            Database database, Log log, Participants.Directory directory, int maxParticipants, Clock clock) {
        this.database = database;
        this.log = log;
        this.directory = directory;
        this.maxParticipants = maxParticipants;
        this.clock = clock;
    }

    /**
     * A person of another platform.
     *
     * @param displayName the name on the platform; blank if the platform gives no name
     */
    public record Stranger(Actor actor, String displayName) {
        /** The name to show: the id for a person without a name. */
        String shownName() {
            return displayName.isBlank() ? actor.value() : displayName;
        }

        private NewMemberRow toMember() {
            return new NewMemberRow(actor, shownName(), Capability.toBits(Capability.TAKE_PART));
        }
    }

    /** The display name of an actor: the latest name in a person's token, or else the name on the thread's roster. */
    public Optional<String> displayName(ThreadId thread, Actor actor) {
        return database.read(handle -> handle.createQuery("""
                        select coalesce(
                            (select display_name from known_names where actor = :actor),
                            (select display_name from participants where thread_id = :thread and actor = :actor))""")
                .bind("thread", thread.value())
                .bind("actor", actor.value())
                .map((row, context) -> Optional.ofNullable(row.getString(1)))
                .one());
    }

    /**
     * The state of a thread for an integration that delivers a message.
     *
     * @param source the source of the thread; null if no integration created the thread
     * @param members the number of participants
     * @param senderName the sender's name in the thread; null if the sender is not in it
     */
    public record ThreadStatus(
            boolean deleted,
            boolean archived,
            @Nullable String source,
            int members,
            @Nullable String senderName,
            boolean hasAgent) {}

    /** The state of a thread for a sender and an agent; empty if no such thread ever existed. */
    public Optional<ThreadStatus> find(ThreadId thread, Actor sender, Actor agent) {
        return database.read(handle -> handle.createQuery("""
                        select t.deleted_at is not null as deleted, t.is_archived, t.source,
                            (select count(*) from participants p where p.thread_id = t.thread_id) as members,
                            (select p.display_name from participants p
                                where p.thread_id = t.thread_id and p.actor = :sender) as sender_name,
                            exists (select 1 from participants p
                                where p.thread_id = t.thread_id and p.actor = :agent) as has_agent
                        from threads t where t.thread_id = :thread""")
                .bind("thread", thread.value())
                .bind("sender", sender.value())
                .bind("agent", agent.value())
                .map((row, context) -> new ThreadStatus(
                        row.getBoolean("deleted"),
                        row.getBoolean("is_archived"),
                        row.getString("source"),
                        row.getInt("members"),
                        row.getString("sender_name"),
                        row.getBoolean("has_agent")))
                .findOne());
    }

    /** Creates a thread under an id that was claimed for the thread, unless another node has created it already. */
    public void create(ThreadId id, String source, Principal owner, Actor agent, Stranger sender) {
        List<NewMemberRow> members = new ArrayList<>();
        members.add(new NewMemberRow(
                owner.actor(), directory.displayNameOf(owner, owner.actor()), Capability.toBits(Capability.ALL)));
        members.add(agentMember(owner, agent));
        members.add(sender.toMember());
        NewThreadRow thread = new NewThreadRow(
                id,
                "private",
                null,
                ParticipationMode.OPEN.wire(),
                owner.actor(),
                clock.instant().truncatedTo(ChronoUnit.MICROS),
                null,
                source);
        database.transact(handle -> ThreadStore.insert(handle, thread, members));
    }

    /**
     * Adds the agent and the sender to the thread if they are not in it yet.
     *
     * @param agent the agent to add, which is refused if the thread has no room; null if no agent joins
     * @param sender the sender to add; left out if the thread has no room, because the message is stored even if its
     *     author cannot join
     */
    public void join(
            ThreadId thread, ThreadStatus now, String source, Principal owner, @Nullable Actor agent, Stranger sender) {
        List<NewMemberRow> members = new ArrayList<>();
        if (agent != null && !now.hasAgent()) {
            members.add(agentMember(owner, agent));
        }
        if (now.senderName() == null && now.members() + members.size() < maxParticipants) {
            members.add(sender.toMember());
        }
        if (!members.isEmpty()) {
            Actor integration = Sources.integration(source);
            log.append(new Command(
                    UuidV7.next(), thread, integration, Participants.joining(thread, integration, members)));
        }
        if (now.senderName() != null
                && !now.senderName().equals(sender.shownName())
                && !sender.displayName().isBlank()) {
            rename(thread, sender);
        }
    }

    /**
     * Changes a person's name in one thread. Each thread has its own names, because a person's name may differ between
     * the channels of one platform.
     */
    private void rename(ThreadId thread, Stranger sender) {
        database.transact(handle -> handle.createUpdate(
                        "update participants set display_name = :name where thread_id = :thread and actor = :actor")
                .bind("name", sender.displayName())
                .bind("thread", thread.value())
                .bind("actor", sender.actor().value())
                .execute());
    }

    private NewMemberRow agentMember(Principal owner, Actor agent) {
        return new NewMemberRow(agent, directory.displayNameOf(owner, agent), Capability.toBits(Capability.TAKE_PART));
    }
}
