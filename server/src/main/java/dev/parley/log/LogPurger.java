package dev.parley.log;

import java.util.List;

/** Purges a deleted thread from the log's tables. The head stays, because the thread's id is never used again. */
public final class LogPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("events", "expired_events", "entry_keys", "entries");
    }
}
