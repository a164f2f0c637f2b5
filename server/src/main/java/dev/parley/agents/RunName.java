package dev.parley.agents;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The two names of a run, for log lines. The client chooses {@code runId}, which the console shows; the server chooses
 * {@code taskId}.
 */
public record RunName(String runId, UUID taskId) {
    /** Line breaks and other invisible characters, with which a client could forge log lines. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");

    @Override
    public String toString() {
        return UNPRINTABLE.matcher(runId).replaceAll("?") + " (task " + taskId + ")";
    }
}
