package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where on a platform something was said. What a platform does not have is the empty text.
 *
 * @param name of the channel, or what stands for it
 * @param thread the platform's own thread in it
 */
record Channel(String source, String workspace, Scope place, String name, String thread) {
    /** What a channel is. */
    enum Scope {
        /** One that the platform, or the integration, names. */
        CHANNEL,
        /** A sender's own conversation. */
        DIRECT,
        /** A thread of ours that was named by its id. */
        SESSION;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The channel that is named; else the session; else the sender's own. */
    static Channel of(
            String source,
            @Nullable String workspace,
            @Nullable String channel,
            @Nullable ThreadId session,
            @Nullable String thread,
            Actor sender) {
        String room = workspace == null ? "" : workspace;
        String within = thread == null ? "" : thread;
        if (channel != null) {
            return new Channel(source, room, Scope.CHANNEL, channel, within);
        }
        return session == null
                ? new Channel(source, room, Scope.DIRECT, sender.value(), within)
                : new Channel(source, room, Scope.SESSION, session.toString(), within);
    }
}
