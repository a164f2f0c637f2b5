/**
 * Records the notes of writers and readers of a server, and later judges the server's promises (I1–I6, I10) by these
 * notes.
 */
@NullMarked
package dev.parley.testkit.history;

import org.jspecify.annotations.NullMarked;
