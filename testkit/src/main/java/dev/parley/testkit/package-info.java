/** What tests and proofs stand on: a real PostgreSQL, faulty networks, unruly clients, child processes, a clock moved by hand. */
@NullMarked
package dev.parley.testkit;

import org.jspecify.annotations.NullMarked;
