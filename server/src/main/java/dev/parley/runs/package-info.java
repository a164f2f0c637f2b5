/** Runs: for now the rules of what a run is given, the guard on its events, and what it has said. */
@NullMarked
package dev.parley.runs;

import org.jspecify.annotations.NullMarked;
