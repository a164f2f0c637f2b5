/** What a message of a session costs, in a long session beside a short one. */
@NullMarked
package dev.parley.bench.sessions;

import org.jspecify.annotations.NullMarked;
