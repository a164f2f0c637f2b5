package dev.parley.protocol.agent;

import java.util.List;

/**
 * The difference between the contexts of two runs.
 *
 * @param same the number of equal messages at the beginning
 * @param removed the messages that only the other run's context has
 * @param added the messages that only this run's context has
 * @param sameAtEnd the number of equal messages at the end
 * @param sameTools true if both contexts offer the same tools
 */
public record RunContextDiff(
        String runId,
        String otherRunId,
        int same,
        List<ContextItem> removed,
        List<ContextItem> added,
        int sameAtEnd,
        boolean sameTools) {
    public RunContextDiff {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }
}
