package dev.parley.protocol.sessions;

import java.util.List;

/**
 * The result of a request to stop.
 *
 * @param status accepted, finished or unknown
 * @param stopped the runs that the request ended
 */
public record SessionStopAnswer(String status, List<String> stopped) {
    public SessionStopAnswer {
        stopped = List.copyOf(stopped);
    }
}
