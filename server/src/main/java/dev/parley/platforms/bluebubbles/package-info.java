/**
 * BlueBubbles, which brings iMessage from a Mac: what its webhooks and its history say, and how it is told something. It
 * delivers once and never again, so what was missed is asked for.
 */
@NullMarked
package dev.parley.platforms.bluebubbles;

import org.jspecify.annotations.NullMarked;
