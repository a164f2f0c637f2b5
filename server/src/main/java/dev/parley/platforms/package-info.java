/**
 * Chat platforms. Each platform has a package, which verifies and maps inbound requests and sends messages. Adapters
 * know wire formats only. {@code ingest} decides about the events, and {@code delivery} decides when messages are sent.
 */
@NullMarked
package dev.parley.platforms;

import org.jspecify.annotations.NullMarked;
