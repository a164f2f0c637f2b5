package dev.parley.protocol.sessions;

import java.util.List;

/**
 * What became of a wish to stop.
 *
 * @param status accepted, finished or unknown
 * @param stopped the runs that have ended by it
 */
public record StopAnswer(String status, List<String> stopped) {
    public StopAnswer {
        stopped = List.copyOf(stopped);
    }
}
