/** What the sessions face sends and takes: sessions as Agno's clients know them. */
@NullMarked
package dev.parley.protocol.sessions;

import org.jspecify.annotations.NullMarked;
