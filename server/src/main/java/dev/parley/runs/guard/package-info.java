/**
 * The guard between an agent and the log: the order of events, their transcript, and the storable form of their text.
 * The package does no I/O and reads no clock.
 */
@NullMarked
package dev.parley.runs.guard;

import org.jspecify.annotations.NullMarked;
