/** Tests of the history checker. */
@NullMarked
package dev.parley.testkit.history;

import org.jspecify.annotations.NullMarked;
