package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.util.List;

/** What one feature keeps of a thread and lets go of once the thread is deleted. */
public interface ThreadPurger {
    /** Tables of the feature: the rows with the thread's id in {@code thread_id} are deleted, table by table. */
    List<String> tables();

    /** Lets go of what is kept otherwise, after the rows; called again if the purge is done again. */
    default void release(ThreadId thread) {}
}
