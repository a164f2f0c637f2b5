/**
 * Following a thread: its watchers, its tail in memory, and viewers fed from the tail or, further back, from the log.
 */
@NullMarked
package dev.parley.streaming;

import org.jspecify.annotations.NullMarked;
