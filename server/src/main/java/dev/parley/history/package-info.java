/** What was said in a thread, day by day, and what a frontend may draw of it. */
@NullMarked
package dev.parley.history;

import org.jspecify.annotations.NullMarked;
