/** The tools of the server's tests: a whole server in this JVM on a real database of its own. */
@NullMarked
package dev.parley.testing;

import org.jspecify.annotations.NullMarked;
