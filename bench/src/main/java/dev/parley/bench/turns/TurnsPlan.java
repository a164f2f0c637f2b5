package dev.parley.bench.turns;

import java.nio.file.Path;

/**
 * What one run of the benchmark does.
 *
 * @param turns of each conversation
 * @param window turns that are averaged, at the beginning and at the end
 * @param skipped first turns of a conversation that are not counted: the agent joins, and plans settle
 * @param warmUp turns in other threads before
 * @param rounds conversations that are measured, one after the other
 */
record TurnsPlan(int turns, int window, int skipped, int warmUp, int rounds, Path json) {}
