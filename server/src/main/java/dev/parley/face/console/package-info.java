/** The console: one page on which a person talks to agents, by the same API as everybody else. */
@NullMarked
package dev.parley.face.console;

import org.jspecify.annotations.NullMarked;
