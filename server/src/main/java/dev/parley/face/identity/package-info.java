/** The caller's identity and the tickets for streams: {@code /api/v1/auth/*}. */
@NullMarked
package dev.parley.face.identity;

import org.jspecify.annotations.NullMarked;
