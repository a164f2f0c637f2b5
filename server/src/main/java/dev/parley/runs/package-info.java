/**
 * The front door of runs: starting, finding, following and cancelling them. Its rooms, each of which uses only those
 * after it: {@code external}, {@code execution}, {@code input}, {@code guard}, {@code lifecycle}.
 */
@NullMarked
package dev.parley.runs;

import org.jspecify.annotations.NullMarked;
