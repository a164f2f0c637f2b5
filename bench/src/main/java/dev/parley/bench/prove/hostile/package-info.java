/** The proof that greedy and hostile callers neither stop the server nor slow down honest callers much. */
@NullMarked
package dev.parley.bench.prove.hostile;

import org.jspecify.annotations.NullMarked;
