package dev.parley.log;

import java.util.UUID;

/**
 * The fencing token of a run's command. The command acts in the name of the run. It does not act in the name of the
 * agent as a participant, because the agent may leave before its answer is complete. The token is valid until another
 * worker takes over the run.
 *
 * @param epoch the number of workers that have held the run; a command with an older number is refused
 */
public record RunFence(UUID run, int epoch) {}
