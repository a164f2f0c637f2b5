/**
 * Owns the limits, how operators write them, and how callers share the limited resources. Depends on no other package
 * of the server.
 */
@NullMarked
package dev.parley.limits;

import org.jspecify.annotations.NullMarked;
