/**
 * The lifecycle of runs: their states and moves, the rule that judges them in the lane, the effects that change them,
 * and their table. All other packages for runs build on this package.
 */
@NullMarked
package dev.parley.runs.lifecycle;

import org.jspecify.annotations.NullMarked;
