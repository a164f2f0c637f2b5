package dev.parley.threads;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.util.List;
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

    /** @param engagement as it is kept with the last message, if there is one */
    static @Nullable Boolean shouldRespond(@Nullable String engagement, String actor) {
        List<Engagement> decided =
                engagement == null ? List.of() : List.of(Json.MAPPER.readValue(engagement, Engagement[].class));
        return Engagements.shouldRespond(decided, new Actor(actor));
    }
}
