/** The sessions protocol of Agno's clients: routes and wire mapping, no rules. */
@NullMarked
package dev.parley.face.sessions;

import org.jspecify.annotations.NullMarked;
