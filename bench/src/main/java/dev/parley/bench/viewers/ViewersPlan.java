package dev.parley.bench.viewers;

import dev.parley.bench.rig.Bus;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one run of the benchmark does.
 *
 * @param viewers open streams in all, over the nodes in turn
 * @param inboxes how many of them follow an inbox, each its own; the others follow a thread each
 * @param threads that the others follow in turn
 * @param idle how long they are watched while nothing happens
 * @param starts how often starting and killing are measured
 */
record ViewersPlan(int viewers, int inboxes, int threads, int nodes, Bus bus, Duration idle, int starts, Path json) {}
