/**
 * What nodes tell each other: hints that something happened in a thread, carried by Redis, by PostgreSQL, or not at all.
 * Nothing depends on a hint's arrival; whoever gets one looks for itself. Knows no feature.
 */
@NullMarked
package dev.parley.wakeups;

import org.jspecify.annotations.NullMarked;
