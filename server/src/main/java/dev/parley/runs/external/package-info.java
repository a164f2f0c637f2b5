/** Runs that are driven from outside, event by event. */
@NullMarked
package dev.parley.runs.external;

import org.jspecify.annotations.NullMarked;
