/**
 * The sessions protocol of Agno's clients (<a href="https://docs.agno.com">docs.agno.com</a>): routes and wire mapping,
 * no rules.
 */
@NullMarked
package dev.parley.face.sessions;

import org.jspecify.annotations.NullMarked;
