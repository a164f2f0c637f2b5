package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.util.List;

/** The data that one feature keeps of a thread and deletes after the thread is deleted. */
public interface ThreadPurger {
    /** Tables of the feature: the rows with the thread's id in {@code thread_id} are deleted, table by table. */
    List<String> tables();

    /** Deletes the data outside of tables, after the rows; called again if the purge is repeated. */
    default void release(ThreadId thread) {}
}
