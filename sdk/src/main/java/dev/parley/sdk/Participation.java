package dev.parley.sdk;

import dev.parley.protocol.Actor;
import java.util.Collection;

/**
 * What an agent can work out by itself before it asks the server. The server's own answers ({@code stale},
 * {@code should_respond}) know more: whose messages were missed, and the limits on agents answering agents.
 */
public final class Participation {
    private Participation() {}

    public static boolean isStale(long baseSeq, long current) {
        return baseSeq < current;
    }

    /** How many entries were added since {@code baseSeq}. */
    public static long computeStaleLag(long baseSeq, long current) {
        return Math.max(0, current - baseSeq);
    }

    /** Whether {@code me} is meant to answer a message, by the thread's mode, its mentions and its sender. */
    public static boolean shouldRespond(String mode, Actor me, Collection<Actor> mentions, Actor sender) {
        if (sender.equals(me)) {
            return false;
        }
        boolean open = !mode.equals("invocation_only");
        return mentions.contains(me)
                || (open && sender.kind() != Actor.Kind.AGENT && sender.kind() != Actor.Kind.SYSTEM);
    }
}
