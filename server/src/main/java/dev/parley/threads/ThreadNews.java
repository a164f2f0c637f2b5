package dev.parley.threads;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A thread with new entries.
 *
 * @param since the seq of the first new entry; null if it is unknown
 */
public record ThreadNews(ThreadId thread, @Nullable Long since) {}
