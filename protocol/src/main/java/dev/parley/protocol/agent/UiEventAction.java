package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Tells the frontend something. */
public record UiEventAction(
        String name,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode payload) implements UiAction {}
