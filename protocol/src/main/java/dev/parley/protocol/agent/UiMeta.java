package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a view; unknown values are absent.
 *
 * @param requestId the run's id
 * @param toolId the id of the tool call whose result the view shows
 * @param userId the user who started the run
 */
public record UiMeta(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String requestId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String toolId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String userId) {}
