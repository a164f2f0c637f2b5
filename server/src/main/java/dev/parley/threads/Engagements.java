package dev.parley.threads;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was decided about a message, as one viewer is told. */
public final class Engagements {
    private Engagements() {}

    /** Whether this viewer should answer; null for those who are no agents, since nobody decides that for them. */
    public static @Nullable Boolean shouldRespond(List<Engagement> engagement, Actor viewer) {
        return viewer.kind() == Actor.Kind.AGENT
                ? engagement.stream().anyMatch(each -> each.agent().equals(viewer) && each.respond())
                : null;
    }
}
