package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.util.List;

/** Deletes the data that a feature stores for a thread, after the thread is deleted. */
public interface ThreadPurger {
    /**
     * The tables of the feature. The purge deletes the rows with the thread's id in {@code thread_id}, table by table.
     */
    List<String> tables();

    /** Deletes the feature's data outside of tables, after the rows; called again if the purge is repeated. */
    default void release(ThreadId thread) {}
}
