package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Which places of platforms hear what agents say in a thread. */
public final class Destinations {
    /** No thread has this id. */
    private static final UUID NOTHING = new UUID(0, 0);

    private final Clock clock;

    public Destinations(Clock clock) {
        this.clock = clock;
    }

    /** From now on a place hears this thread, and no other. Within the caller's transaction. */
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
     * From now on a place hears this thread in place of others. What is on its way to the others still goes there.
     * Within the caller's transaction.
     *
     * @param replaced the destinations that hear nothing any more
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
