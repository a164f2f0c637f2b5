package dev.parley.runs.external;

/**
 * The answer to a post.
 *
 * @param next the number of the event that is expected next
 * @param stop whether the run is over: nothing more is taken
 */
public record DriverStatus(int epoch, long next, boolean stop) {}
