/** The resources of owners: agents and their tokens, {@code /api/v1/owner/*}. */
@NullMarked
package dev.parley.face.owner;

import org.jspecify.annotations.NullMarked;
