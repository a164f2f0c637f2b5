package dev.parley.protocol.agent;

/**
 * The progress of a run that an external agent drives.
 *
 * @param epoch the fencing token to send with every further post
 * @param next the number of the next event that the server expects
 * @param stop true if the run is over and takes no more events
 */
public record RunStanding(int epoch, long next, boolean stop) {}
