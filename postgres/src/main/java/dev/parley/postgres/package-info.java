/** Unpacks, creates, starts and stops the PostgreSQL that Parley brings along. Knows nothing of conversations. */
@NullMarked
package dev.parley.postgres;

import org.jspecify.annotations.NullMarked;
