/** The console, used by a real browser. */
@NullMarked
package dev.parley.console;

import org.jspecify.annotations.NullMarked;
