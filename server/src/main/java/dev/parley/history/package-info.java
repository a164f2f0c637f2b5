/** The messages of a thread, day by day, with the UI schemas that a frontend may draw. */
@NullMarked
package dev.parley.history;

import org.jspecify.annotations.NullMarked;
