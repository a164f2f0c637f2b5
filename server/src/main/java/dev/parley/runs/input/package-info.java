/** The input of a run: its rules, its options, its files, and the messages that are new to the thread. */
@NullMarked
package dev.parley.runs.input;

import org.jspecify.annotations.NullMarked;
