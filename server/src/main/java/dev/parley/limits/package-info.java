/** Owns the one record of limits and how callers share what is limited; knows nothing else. */
@NullMarked
package dev.parley.limits;

import org.jspecify.annotations.NullMarked;
