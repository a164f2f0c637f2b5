/** The proofs of log, runs and deliveries: simulated histories, crowds on a bad network, kill -9 in cycles. */
@NullMarked
package dev.parley.bench.prove;

import org.jspecify.annotations.NullMarked;
