package dev.parley.bench.read;

import java.nio.file.Path;

/**
 * What one run of the benchmark does.
 *
 * @param messages of the large thread; also those of the busy user's threads together
 * @param smallMessages of the small thread
 * @param threads of the busy user
 * @param smallThreads of the quiet user
 * @param requests how often each route is called
 */
record ReadPlan(int messages, int smallMessages, int threads, int smallThreads, int requests, Path json) {
    int messagesPerThread() {
        return Math.max(1, messages / threads);
    }
}
