package dev.parley.threads;

import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Log;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.Map;

/** Appends a change of a thread together with the event that announces it. */
final class ThreadUpdates {
    private final Log log;

    ThreadUpdates(Log log) {
        this.log = log;
    }

    /** @param payload the payload of the event {@code thread_updated} */
    void append(Principal caller, ThreadEffect effect, Map<String, Object> payload) {
        caller.requireScope(effect.needs());
        log.append(new Command(
                UuidV7.next(),
                effect.thread(),
                caller.actor(),
                List.of(
                        new Change.Apply(effect),
                        new Change.Announce(
                                "thread_updated", caller.actor(), Json.MAPPER.writeValueAsString(payload)))));
    }
}
