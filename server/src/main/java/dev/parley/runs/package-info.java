/**
 * The front door of runs, which starts, finds, follows and cancels runs. Each of its subpackages uses only the
 * subpackages that follow it in this list: {@code external}, {@code execution}, {@code input}, {@code guard},
 * {@code lifecycle}.
 */
@NullMarked
package dev.parley.runs;

import org.jspecify.annotations.NullMarked;
