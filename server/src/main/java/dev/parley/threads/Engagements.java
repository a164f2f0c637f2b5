package dev.parley.threads;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the decisions about the agents that should answer a message, for one viewer of the message. */
public final class Engagements {
    private Engagements() {}

    /**
     * True if this viewer should answer; null for viewers who are not agents, since the decision is only made for
     * agents.
     */
    public static @Nullable Boolean shouldRespond(List<Engagement> engagement, Actor viewer) {
        return viewer.kind() == Actor.Kind.AGENT
                ? engagement.stream().anyMatch(each -> each.agent().equals(viewer) && each.respond())
                : null;
    }
}
