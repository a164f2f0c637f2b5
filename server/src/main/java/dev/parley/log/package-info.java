/**
 * The log: commands, the pure decision, the lane that carries it out in one transaction per batch, and reading by seq
 * and position. Owns thread_heads, entries, entry_keys, events and
 * expired_events.
 */
@NullMarked
package dev.parley.log;

import org.jspecify.annotations.NullMarked;
