/** Owns the limits, how operators write them, and how callers share the limited resources; knows nothing else. */
@NullMarked
package dev.parley.limits;

import org.jspecify.annotations.NullMarked;
