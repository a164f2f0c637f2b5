/**
 * Outgoing calls: the allowed addresses, the clients and the secrets. The package depends on no feature of the server.
 */
@NullMarked
package dev.parley.outbound;

import org.jspecify.annotations.NullMarked;
