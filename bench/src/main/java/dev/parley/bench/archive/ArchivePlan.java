package dev.parley.bench.archive;

import java.nio.file.Path;

/**
 * What is measured.
 *
 * @param messages in all; a quarter of them is said in one thread
 * @param perThread how many each of the other threads has
 * @param heapMegabytes the greatest heap of each command
 */
record ArchivePlan(int messages, int perThread, int heapMegabytes, Path json) {}
