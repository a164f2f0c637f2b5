package dev.parley.ingest;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** What integrations brought to a thread, and the messages of platforms that it quotes. */
public final class InboundPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("inbound_events", "thread_quotes");
    }
}
