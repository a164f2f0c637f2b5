package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.time.Clock;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Handle;

/** Which places of platforms hear what agents say in a thread. */
public final class Destinations {
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
}
