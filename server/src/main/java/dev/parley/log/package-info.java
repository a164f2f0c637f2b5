/**
 * The log: commands, the pure decision about a batch, the lanes that carry out each batch in one transaction, and
 * readers by seq and position. Owns the tables thread_heads, entries, entry_keys, events and expired_events.
 */
@NullMarked
package dev.parley.log;

import org.jspecify.annotations.NullMarked;
