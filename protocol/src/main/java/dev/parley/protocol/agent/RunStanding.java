package dev.parley.protocol.agent;

/**
 * Where a run that is driven from outside stands.
 *
 * @param epoch to be sent with every further post
 * @param next the number of the event that is expected next
 * @param stop whether the run is over: nothing more is taken
 */
public record RunStanding(int epoch, long next, boolean stop) {}
