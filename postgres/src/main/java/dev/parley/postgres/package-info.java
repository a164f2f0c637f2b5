/** Unpacks, creates, starts and stops the bundled PostgreSQL. This package knows nothing of conversations. */
@NullMarked
package dev.parley.postgres;

import org.jspecify.annotations.NullMarked;
