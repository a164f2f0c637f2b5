package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Calls a tool of the frontend. */
public record UiToolAction(
        String name,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ObjectNode args) implements UiAction {}
