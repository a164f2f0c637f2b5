package dev.parley.history;

import dev.parley.attachments.ObjectKey;
import dev.parley.protocol.ThreadId;
import java.util.Collection;
import java.util.Map;

/** Makes addresses under which files can be fetched for a while, of those that were shown in a thread. */
@FunctionalInterface
public interface Links {
    /** Fresh addresses; a file that was not shown there has none. The reader's right to the thread is settled by then. */
    Map<ObjectKey, String> fresh(ThreadId thread, Collection<ObjectKey> files);
}
