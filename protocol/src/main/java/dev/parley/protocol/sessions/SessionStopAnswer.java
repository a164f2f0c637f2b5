package dev.parley.protocol.sessions;

import java.util.List;

/**
 * What became of a wish to stop.
 *
 * @param status accepted, finished or unknown
 * @param stopped the runs that have ended by it
 */
public record SessionStopAnswer(String status, List<String> stopped) {
    public SessionStopAnswer {
        stopped = List.copyOf(stopped);
    }
}
