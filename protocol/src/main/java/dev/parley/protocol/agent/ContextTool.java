package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A tool in a model's context; the parameters are a JSON Schema. */
public record ContextTool(
        String name, String description, @Nullable JsonNode parameters) {}
