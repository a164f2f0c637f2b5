/** The stream benchmark: the time and the cost of a token on its way from its agent to its viewer. */
@NullMarked
package dev.parley.bench.stream;

import org.jspecify.annotations.NullMarked;
