/**
 * Chat platforms, a package for each: it verifies and maps inbound requests, and sends messages. Adapters know wire
 * formats only. {@code ingest} decides about their events, and {@code delivery} about the time of sending.
 */
@NullMarked
package dev.parley.platforms;

import org.jspecify.annotations.NullMarked;
