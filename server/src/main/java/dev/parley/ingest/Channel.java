package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a platform, or a thread in it. Components that a platform does not have are empty.
 *
 * @param name the platform's id of the channel, or a substitute that depends on the scope
 * @param thread the platform's own thread in the channel
 */
record Channel(String source, String workspace, Scope scope, String name, String thread) {
    /** The kind of a channel. */
    enum Scope {
        /** A channel that the platform or the integration names. */
        CHANNEL,
        /** A sender's own conversation. */
        DIRECT,
        /** A thread of the server, named by its id. */
        SESSION;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The named channel, else the session, else the sender's own conversation. */
    static Channel of(
            String source,
            @Nullable String workspace,
            @Nullable String channel,
            @Nullable ThreadId session,
            @Nullable String thread,
            Actor sender) {
        String workspaceId = workspace == null ? "" : workspace;
        String threadId = thread == null ? "" : thread;
        if (channel != null) {
            return new Channel(source, workspaceId, Scope.CHANNEL, channel, threadId);
        }
        return session == null
                ? new Channel(source, workspaceId, Scope.DIRECT, sender.value(), threadId)
                : new Channel(source, workspaceId, Scope.SESSION, session.toString(), threadId);
    }
}
