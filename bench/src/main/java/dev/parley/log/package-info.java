/**
 * The simulator of the log. It lives in the log's own package to reach its pure decision, and in this module because
 * only proofs use it.
 */
@NullMarked
package dev.parley.log;

import org.jspecify.annotations.NullMarked;
