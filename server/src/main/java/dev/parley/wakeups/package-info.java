/**
 * Hints between nodes that a thread has news, carried by Redis, by PostgreSQL, or not at all. Correctness never depends
 * on a hint, because its receiver reads the news from the database. This package knows no feature.
 */
@NullMarked
package dev.parley.wakeups;

import org.jspecify.annotations.NullMarked;
