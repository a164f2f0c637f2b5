/**
 * Runs: what they are given, how they are claimed, executed, fenced and ended, the guard in front of what they say, and
 * what they leave with their thread.
 */
@NullMarked
package dev.parley.runs;

import org.jspecify.annotations.NullMarked;
