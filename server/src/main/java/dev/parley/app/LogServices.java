package dev.parley.app;

import dev.parley.log.Log;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.threads.ThreadFactsCache;

/** The log and its readers. */
record LogServices(Log log, LogReader reader, LogPages pages, ThreadFactsCache facts) {}
