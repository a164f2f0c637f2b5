package dev.parley.sessions;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Names the tables that a session keeps beside the entries of its thread. */
public final class SessionPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("chat_events", "session_runs", "session_documents");
    }
}
