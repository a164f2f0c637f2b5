/**
 * What leaves the server because something was said: replies to chat platforms and events to webhooks. Owns where they
 * go, their order, leases, attempts, and what became of each part. Transports plug in; none of them decides when to send.
 */
@NullMarked
package dev.parley.delivery;

import org.jspecify.annotations.NullMarked;
