package dev.parley.log;

import java.util.List;

/** What the log keeps of a thread. The head stays: the thread's id is taken for ever. */
public final class LogPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("events", "expired_events", "entry_keys", "entries");
    }
}
