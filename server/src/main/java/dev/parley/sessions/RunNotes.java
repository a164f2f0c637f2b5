package dev.parley.sessions;

import dev.parley.agents.model.Prices;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of a run's document that Parley reads, to find and list the run. The document itself is opaque: a field
 * that is not a text of usual length is skipped, and never refused.
 */
record RunNotes(
        @Nullable String parentRunId,
        @Nullable String agentId,
        @Nullable String agentName,
        @Nullable String teamName,
        @Nullable String status,
        @Nullable String model,
        @Nullable String modelProvider,
        MessageUsage total) {

    static RunNotes of(JsonNode document, Limits.Requests limits, Prices prices) {
        String model = text(document, "model", limits.displayName());
        String provider = text(document, "model_provider", limits.displayName());
        return new RunNotes(
                text(document, "parent_run_id", limits.opaqueId()),
                text(document, "agent_id", limits.opaqueId()),
                text(document, "agent_name", limits.displayName()),
                text(document, "team_name", limits.displayName()),
                status(document, limits),
                model,
                provider,
                MessageUsage.of(document.path("metrics"), provider, model, prices));
    }

    /** The status in the log's words: Agno writes capitals, and ERROR for a failed run. */
    private static @Nullable String status(JsonNode document, Limits.Requests limits) {
        String status = text(document, "status", limits.opaqueId());
        if (status == null) {
            return null;
        }
        return status.equalsIgnoreCase("error") ? "failed" : status.toLowerCase(Locale.ROOT);
    }

    private static @Nullable String text(JsonNode document, String name, int limit) {
        String text = document.path(name).isString() ? document.path(name).asString() : "";
        return text.isEmpty() || !Text.isStorable(text) || !Text.isAtMost(text, limit) ? null : text;
    }
}
