package dev.parley.ingest;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** Deletes a thread's inbound events, and the quotes of platforms' messages in it. */
public final class InboundPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("inbound_events", "thread_quotes");
    }
}
