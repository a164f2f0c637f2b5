package dev.parley.log;

import java.util.UUID;

/**
 * The fencing token of a run's command. The command acts under the run itself, not under its agent's participation,
 * which may end in mid-answer. It holds until another worker takes the run over.
 *
 * @param epoch the number of workers that have held the run; a command with an older number is refused
 */
public record RunFence(UUID run, int epoch) {}
