/** How long a streamed token takes from its agent to its viewer, and what it costs. */
@NullMarked
package dev.parley.bench.stream;

import org.jspecify.annotations.NullMarked;
