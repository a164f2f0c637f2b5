package dev.parley.agents;

import java.util.UUID;
import java.util.regex.Pattern;

/** The names of a run as log lines give them: the one that its client and the console show, and the server's own. */
public record RunName(String runId, UUID taskId) {
    /** Line breaks and the like, with which a client could forge lines of the log. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");

    @Override
    public String toString() {
        return UNPRINTABLE.matcher(runId).replaceAll("?") + " (task " + taskId + ")";
    }
}
