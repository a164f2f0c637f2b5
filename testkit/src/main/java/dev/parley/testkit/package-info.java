/**
 * The base of tests and proofs: a real PostgreSQL, faulty networks, unruly clients, child processes, a movable clock.
 */
@NullMarked
package dev.parley.testkit;

import org.jspecify.annotations.NullMarked;
