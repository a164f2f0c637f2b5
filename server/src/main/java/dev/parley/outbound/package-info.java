/** How the server calls out: which addresses it may reach, by which client, and with which secrets. Knows no feature. */
@NullMarked
package dev.parley.outbound;

import org.jspecify.annotations.NullMarked;
