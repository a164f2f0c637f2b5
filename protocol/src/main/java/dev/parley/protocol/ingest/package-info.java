/** The wire records of the ingest face. */
@NullMarked
package dev.parley.protocol.ingest;

import org.jspecify.annotations.NullMarked;
