package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Events by which an external agent drives its run.
 *
 * @param epoch the epoch from the first answer; absent in the first post
 * @param first the number of the first event, counted from 0
 * @param events AG-UI events; an empty list is a heartbeat
 */
public record RunEvents(
        @Nullable Integer epoch,
        @Nullable Long first,
        @Nullable List<JsonNode> events) {}
