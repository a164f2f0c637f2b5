package dev.parley.runs.external;

/**
 * The answer to a post.
 *
 * @param next the number of the event that is expected next
 * @param stop true if the run is over and takes no further events
 */
public record DriverStatus(int epoch, long next, boolean stop) {}
