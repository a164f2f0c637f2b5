package dev.parley.protocol.agent;

import java.util.List;

/**
 * How what two runs were shown differs.
 *
 * @param same how many messages at the beginning are the same
 * @param removed what only the other run was shown
 * @param added what only this run was shown
 * @param sameAtEnd how many messages behind those are the same again
 * @param sameTools whether both were told of the same tools
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
