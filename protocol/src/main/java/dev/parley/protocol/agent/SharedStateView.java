package dev.parley.protocol.agent;

import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state that a thread's agents and clients share.
 *
 * @param version the number of replacements; 0 if there was none
 */
public record SharedStateView(
        ThreadId threadId, long version, @Nullable JsonNode state) {}
