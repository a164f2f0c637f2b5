/** Runs: for now the guard on their events, and what a run has said. */
@NullMarked
package dev.parley.runs;

import org.jspecify.annotations.NullMarked;
