/** What the sessions face says and is told: snake_case, as Agno's clients write it. */
@NullMarked
package dev.parley.protocol.sessions;

import org.jspecify.annotations.NullMarked;
