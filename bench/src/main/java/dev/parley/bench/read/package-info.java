/** The read benchmark: the buffers that reading touches, for large conversations beside small ones. */
@NullMarked
package dev.parley.bench.read;

import org.jspecify.annotations.NullMarked;
