/**
 * Slack: its Events API for inbound events, its Web API for outgoing messages. The package owns the signature, the wire
 * format, the decoding of Slack's texts and the names of Slack's users. It stores nothing.
 */
@NullMarked
package dev.parley.platforms.slack;

import org.jspecify.annotations.NullMarked;
