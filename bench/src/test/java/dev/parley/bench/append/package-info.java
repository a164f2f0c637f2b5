/** Tests of the append benchmark. */
@NullMarked
package dev.parley.bench.append;

import org.jspecify.annotations.NullMarked;
