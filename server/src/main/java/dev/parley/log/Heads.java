package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Handle;

/** Creates the heads of new threads. After that, only lanes change a head. */
public final class Heads {
    private Heads() {}

    /** Begins the log of a thread, in the transaction that creates the thread. */
    public static void insert(Handle handle, ThreadId thread, Instant createdAt) {
        handle.createUpdate("""
                        insert into thread_heads (thread_id, last_created_at, head_hash)
                        values (:id, :now, :hash)""")
                .bind("id", thread.value())
                .bind("now", createdAt.atOffset(ZoneOffset.UTC))
                .bind("hash", Digest.ZERO.bytes())
                .execute();
    }
}
