/** The messages of a thread, day by day, and the UI schemas that a frontend may draw of them. */
@NullMarked
package dev.parley.history;

import org.jspecify.annotations.NullMarked;
