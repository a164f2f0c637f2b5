/** The wire records of the sessions face: sessions as Agno's clients know them. */
@NullMarked
package dev.parley.protocol.sessions;

import org.jspecify.annotations.NullMarked;
