/**
 * Slack: its Events API inwards, its Web API outwards. Owns the signature, the wire format, the decoding of Slack's text
 * and the names of Slack's people; stores nothing by itself.
 */
@NullMarked
package dev.parley.platforms.slack;

import org.jspecify.annotations.NullMarked;
