/** The proof of the log: simulated histories, a crowd behind a bad network, kill -9 in cycles. */
@NullMarked
package dev.parley.bench.prove;

import org.jspecify.annotations.NullMarked;
