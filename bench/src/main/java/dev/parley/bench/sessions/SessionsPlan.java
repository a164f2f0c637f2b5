package dev.parley.bench.sessions;

import java.nio.file.Path;

/**
 * What one run of the benchmark does.
 *
 * @param messages that the long session has before it is measured
 * @param fewMessages that the short one has
 * @param window messages that are appended to each in turn
 * @param rounds how often
 * @param warmUp messages in other sessions before
 */
record SessionsPlan(int messages, int fewMessages, int window, int rounds, int warmUp, Path json) {}
