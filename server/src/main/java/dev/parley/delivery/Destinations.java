package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The destinations on platforms to which agents' messages in a thread are delivered. */
public final class Destinations {
    /** The thread id of a destination that gets no further messages. No thread has this id. */
    private static final UUID NOTHING = new UUID(0, 0);

    private final Clock clock;

    public Destinations(Clock clock) {
        this.clock = clock;
    }

    /** Routes this thread, and no other thread, to a target. Runs in the caller's transaction. */
    public void route(Handle handle, ReplyTarget target, ThreadId thread) {
        handle.createUpdate("""
                        insert into destinations as d (destination_id, source, workspace, channel, external_thread, thread_id,
                            created_at, next_at)
                        values (:id, :source, :workspace, :channel, :external, :thread, :now, null)
                        on conflict (source, workspace, channel, external_thread) do update set thread_id = :thread
                        where d.thread_id <> :thread""")
                .bind("id", UuidV7.next())
                .bind("source", target.source())
                .bind("workspace", target.workspace())
                .bind("channel", target.channel())
                .bind("external", target.thread())
                .bind("thread", thread.value())
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .execute();
    }

    /**
     * Routes this thread to a target instead of other destinations. Deliveries that are queued for the other
     * destinations are still sent. Runs in the caller's transaction.
     *
     * @param replaced the destinations that get no further messages
     */
    public void redirect(Handle handle, ReplyTarget target, ThreadId thread, Collection<UUID> replaced) {
        if (!replaced.isEmpty()) {
            handle.createUpdate("update destinations set thread_id = :nothing where destination_id = any (:replaced)")
                    .bind("nothing", NOTHING)
                    .bindArray("replaced", UUID.class, replaced.toArray())
                    .execute();
        }
        route(handle, target, thread);
    }
}
