/** The console: one page on which a person talks to agents, over the public API. */
@NullMarked
package dev.parley.face.console;

import org.jspecify.annotations.NullMarked;
