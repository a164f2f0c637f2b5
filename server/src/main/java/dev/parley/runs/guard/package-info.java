/**
 * The guard between an agent and the log: which events may follow each other, what they come to, and what of them can be
 * stored. Pure: it does no I/O and reads no clock.
 */
@NullMarked
package dev.parley.runs.guard;

import org.jspecify.annotations.NullMarked;
