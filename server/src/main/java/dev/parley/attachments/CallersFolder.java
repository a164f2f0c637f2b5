package dev.parley.attachments;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import org.jspecify.annotations.Nullable;

/** The folder of a caller's own objects: the caller may write below this prefix, and nowhere else. */
record CallersFolder(String prefix) {
    private static final String INPUTS = "agent-inputs/";
    private static final int MAX_NAME = 100;

    /** Refuses callers that may not keep objects. */
    static CallersFolder of(Principal caller) {
        caller.requirePlace();
        caller.requireScope(Capability.CAN_RUN);
        return new CallersFolder(
                switch (caller) {
                    case Principal.User user -> INPUTS + user.id() + "/";
                    case Principal.Agent agent -> INPUTS + "agent-" + agent.id() + "/";
                    case Principal.Integration none -> throw new IllegalStateException("has no place: " + none);
                });
    }

    boolean holds(ObjectKey key) {
        return key.path().startsWith(prefix);
    }

    /** A new path for an object that is to be shown in a message. */
    ObjectKey newPath(@Nullable String threadId, @Nullable String runId, String filename) {
        String thread = threadId == null
                ? "unfiled"
                : ThreadId.parse(threadId)
                        .map(ThreadId::toString)
                        .orElseThrow(() -> ProblemException.invalidField("threadId", "must be a valid UUID"));
        String run = runId == null ? "upload" : safe(runId, "upload");
        return new ObjectKey(
                ObjectKey.BUCKET, prefix + thread + "/" + run + "/" + UuidV7.next() + "-" + safe(filename, "file"));
    }

    /** Keeps letters and digits of any script, and three characters without special meaning. */
    static String safe(String name, String fallback) {
        String plain = name.replaceAll("[^\\p{L}\\p{M}\\p{N}._-]+", "_").replaceAll("^[._]+", "");
        int points = plain.codePointCount(0, plain.length());
        String end = points <= MAX_NAME
                ? plain
                // Keeps the end of a long name, with the file's extension.
                : plain.substring(plain.offsetByCodePoints(0, points - MAX_NAME))
                        .replaceAll("^[._]+", "");
        return end.isEmpty() ? fallback : end;
    }
}
