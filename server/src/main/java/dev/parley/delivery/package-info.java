/**
 * Deliveries: replies to chat platforms and events to webhooks. The package owns their destinations, order, leases,
 * attempts, and the state of each part. Transports plug in; no transport decides the time of a send.
 */
@NullMarked
package dev.parley.delivery;

import org.jspecify.annotations.NullMarked;
