package dev.parley.sdk;

import dev.parley.protocol.agui.PassedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The server cannot go on where it was asked to, so that what a follower has does not lead on to what comes next.
 *
 * @param reason {@code expired} if the events there are kept no longer, {@code ahead} if there never were any
 * @param position where the stream goes on
 * @param reload the paths to read again
 */
public record Resync(String reason, long position, List<String> reload) {
    private static final String NAME = "resync";
    private static final String AHEAD = "ahead";

    public Resync {
        reload = List.copyOf(reload);
    }

    /** Whether the position that was asked for is not one of this log: whoever has it has followed another. */
    public boolean isAhead() {
        return reason.equals(AHEAD);
    }

    /** An agent may call an event of its own so as well; the server's belongs to no run. */
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
