/** Inbound requests of chat platforms, {@code /api/v1/integrations/*}: routes and wire mapping only. */
@NullMarked
package dev.parley.face.integrations;

import org.jspecify.annotations.NullMarked;
