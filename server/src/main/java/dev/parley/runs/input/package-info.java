/** What clients send for a run: its rules, its options, its files, and what of it is new to the thread. */
@NullMarked
package dev.parley.runs.input;

import org.jspecify.annotations.NullMarked;
