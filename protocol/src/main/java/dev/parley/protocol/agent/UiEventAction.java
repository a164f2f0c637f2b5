package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Sends an event to the frontend. */
public record UiEventAction(
        String name,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode payload) implements UiAction {}
