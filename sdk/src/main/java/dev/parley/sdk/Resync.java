package dev.parley.sdk;

import dev.parley.protocol.agui.PassedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The server cannot resume at the requested position, so a follower's data does not lead on to the next event.
 *
 * @param reason {@code expired} if the events there are no longer kept, {@code ahead} if there never were any
 * @param position the position at which the stream continues
 * @param reload the paths to read again
 */
public record Resync(String reason, long position, List<String> reload) {
    private static final String NAME = "resync";
    private static final String AHEAD = "ahead";

    public Resync {
        reload = List.copyOf(reload);
    }

    /** True if the requested position is not one of this log: the follower read another log. */
    public boolean isAhead() {
        return reason.equals(AHEAD);
    }

    /**
     * Empty for an event of a run: an agent may use the same name for an event of its own, but the server's belongs to
     * no run.
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
