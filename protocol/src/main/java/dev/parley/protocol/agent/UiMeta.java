package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Where something to draw comes from; what is not known is absent.
 *
 * @param requestId the run's id
 * @param toolId the id of the call that a tool answered
 * @param userId the user who started the run
 */
public record UiMeta(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String requestId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String toolId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String userId) {}
