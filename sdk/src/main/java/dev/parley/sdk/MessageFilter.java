package dev.parley.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Metadata values that the listed messages must have. A null value is not compared.
 *
 * @param runId the client's id of a run, or the server's task id of the same run
 */
public record MessageFilter(
        @Nullable String runId, @Nullable String stage) {
    public static MessageFilter run(String runId) {
        return new MessageFilter(runId, null);
    }

    public static MessageFilter stage(String stage) {
        return new MessageFilter(null, stage);
    }

    /** The filter as parameters that can be appended to a query string that already has parameters. */
    String query() {
        return parameter("run_id", runId) + parameter("stage", stage);
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + Request.encode(value);
    }
}
