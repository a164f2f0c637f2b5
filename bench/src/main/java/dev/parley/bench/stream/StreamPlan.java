package dev.parley.bench.stream;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What one run of the benchmark does.
 *
 * @param runs that are streamed at the same time, with one viewer each
 * @param rate tokens per second and run
 */
record StreamPlan(int runs, int rate, Duration window, int rounds, Duration warmUp, Path json) {}
