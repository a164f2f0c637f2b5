/** Short forms of the proofs. */
@NullMarked
package dev.parley.bench.prove;

import org.jspecify.annotations.NullMarked;
