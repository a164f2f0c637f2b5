/** Records the notes of a server's writers and readers, and later judges the server's promises by them (I1–I6, I10). */
@NullMarked
package dev.parley.testkit.history;

import org.jspecify.annotations.NullMarked;
