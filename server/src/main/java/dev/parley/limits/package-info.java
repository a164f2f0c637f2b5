/** Owns the one record of limits; knows nothing else. */
@NullMarked
package dev.parley.limits;

import org.jspecify.annotations.NullMarked;
