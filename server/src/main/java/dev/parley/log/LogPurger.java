package dev.parley.log;

import java.util.List;

/** The log's tables of a thread. The head stays: the thread's id is never used again. */
public final class LogPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("events", "expired_events", "entry_keys", "entries");
    }
}
