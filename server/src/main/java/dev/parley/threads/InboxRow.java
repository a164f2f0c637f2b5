package dev.parley.threads;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A thread in somebody's list, after it changed.
 *
 * @param shouldRespond whether the last message engages this agent; null for everybody else
 */
public record InboxRow(
        Actor actor,
        ThreadId thread,
        long lastSeq,
        int unread,
        @Nullable Boolean shouldRespond) {

    static @Nullable Boolean shouldRespond(@Nullable String engagement, String actor) {
        if (!actor.startsWith("agent:")) {
            return null;
        }
        if (engagement != null) {
            for (Engagement each : Json.MAPPER.readValue(engagement, Engagement[].class)) {
                if (each.agent().value().equals(actor)) {
                    return each.respond();
                }
            }
        }
        return false;
    }
}
