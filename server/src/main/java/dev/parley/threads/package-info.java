/** Threads, their participants, who may do what in them, and the front door for what is said there. */
@NullMarked
package dev.parley.threads;

import org.jspecify.annotations.NullMarked;
