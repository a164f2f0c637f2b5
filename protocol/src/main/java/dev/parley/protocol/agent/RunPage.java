package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs of a thread, the newest first, and the cursor of the next page. */
public record RunPage(List<RunView> runs, @Nullable String nextCursor) {}
