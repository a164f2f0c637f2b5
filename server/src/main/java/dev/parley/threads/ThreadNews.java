package dev.parley.threads;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A thread in which something happened.
 *
 * @param since the seq from which on its entries are new; null if that is not known
 */
public record ThreadNews(ThreadId thread, @Nullable Long since) {}
