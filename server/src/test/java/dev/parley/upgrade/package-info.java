/**
 * A server that was written by the schema before this one: how it is made and kept, and that today's server goes on with
 * it.
 */
@NullMarked
package dev.parley.upgrade;

import org.jspecify.annotations.NullMarked;
