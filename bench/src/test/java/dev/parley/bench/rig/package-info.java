/** Tests of the rig. */
@NullMarked
package dev.parley.bench.rig;

import org.jspecify.annotations.NullMarked;
