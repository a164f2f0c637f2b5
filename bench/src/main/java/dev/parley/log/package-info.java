/**
 * The simulator of the log. It is in the log's own package because it calls the log's package-private decision. It is
 * in this module because only proofs use it.
 */
@NullMarked
package dev.parley.log;

import org.jspecify.annotations.NullMarked;
