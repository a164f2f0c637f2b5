/** Following a thread: who watches it, its tail in memory, and feeding viewers from it or, behind it, from the log. */
@NullMarked
package dev.parley.streaming;

import org.jspecify.annotations.NullMarked;
