package dev.parley.log;

import java.util.UUID;

/**
 * In whose name a command of a run acts: not by its agent's place in the thread, which may end in mid-answer, but by the
 * run itself, for as long as nobody else has taken it over.
 *
 * @param epoch counts who has held the run; whoever comes with an older one is refused
 */
public record RunFence(UUID run, int epoch) {}
