/** Outgoing calls: the allowed addresses, the clients and the secrets. Knows no feature. */
@NullMarked
package dev.parley.outbound;

import org.jspecify.annotations.NullMarked;
