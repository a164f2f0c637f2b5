package dev.parley.sdk;

import dev.parley.protocol.Actor;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of staleness and engagement that an agent can make without a request. The server's answers ({@code stale},
 * {@code should_respond}) are more exact, because the server also knows the authors of the missed messages and the
 * limits on agents that answer agents.
 */
public final class Participation {
    private Participation() {}

    /**
     * True if entries were added since {@code baseSeq}. Always false without a {@code baseSeq}; the server then answers
     * {@code stale: null}.
     */
    public static boolean isStale(@Nullable Long baseSeq, @Nullable Long current) {
        return computeStaleLag(baseSeq, current) > 0;
    }

    /** The number of entries that were added since {@code baseSeq}; 0 without a {@code baseSeq} or a current seq. */
    public static long computeStaleLag(@Nullable Long baseSeq, @Nullable Long current) {
        return baseSeq == null || current == null ? 0 : Math.max(0, current - baseSeq);
    }

    /**
     * True if {@code me} should answer a message, by the thread's mode, its mentions and its sender.
     *
     * @param mode the participation mode; null means {@code open}
     * @param mentions the mentioned actors; null means none
     * @param sender null for events without a sender, which no agent answers
     */
    public static boolean shouldRespond(
            @Nullable String mode, Actor me, @Nullable Collection<Actor> mentions, @Nullable Actor sender) {
        if (sender == null || sender.equals(me)) {
            return false;
        }
        boolean open = !"invocation_only".equals(mode);
        return (mentions != null && mentions.contains(me))
                || (open && sender.kind() != Actor.Kind.AGENT && sender.kind() != Actor.Kind.SYSTEM);
    }
}
