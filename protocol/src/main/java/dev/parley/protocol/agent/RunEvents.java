package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Events by which an agent drives its run from outside.
 *
 * @param epoch as the first answer gave it; absent in the first post
 * @param first the number of the first of them, counted from 0
 * @param events AG-UI events; none are a sign of life
 */
public record RunEvents(
        @Nullable Integer epoch,
        @Nullable Long first,
        @Nullable List<JsonNode> events) {}
