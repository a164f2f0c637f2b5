/** What people own: their agents and their agents' tokens, {@code /api/v1/owner/*}. */
@NullMarked
package dev.parley.face.owner;

import org.jspecify.annotations.NullMarked;
