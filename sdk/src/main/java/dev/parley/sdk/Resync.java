package dev.parley.sdk;

import dev.parley.protocol.agui.PassedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The server's notice that it cannot resume at the requested position. The next event does not continue a follower's
 * data, so the follower must read the data again.
 *
 * @param reason {@code expired} if the events after the requested position are no longer stored, {@code ahead} if the
 *     log has never reached this position
 * @param position the position at which the stream continues
 * @param reload the paths to read again
 */
public record Resync(String reason, long position, List<String> reload) {
    private static final String NAME = "resync";
    private static final String AHEAD = "ahead";

    public Resync {
        reload = List.copyOf(reload);
    }

    /** True if the requested position is not in this log, because the follower read another log. */
    public boolean isAhead() {
        return reason.equals(AHEAD);
    }

    /**
     * Reads a notice. Empty for an event of a run: an agent may use the same name for its own event, but the server's
     * notice belongs to no run.
     */
    static Optional<Resync> read(PlacedEvent placed) {
        if (!(placed.event() instanceof PassedEvent.Custom custom)
                || !custom.name().equals(NAME)
                || placed.runId().isPresent()) {
            return Optional.empty();
        }
        List<String> reload = new ArrayList<>();
        for (JsonNode path : custom.value().path("reload")) {
            reload.add(path.asString());
        }
        return Optional.of(new Resync(custom.value().path("reason").asString(""), placed.position(), reload));
    }
}
