/** What goes over the wire on the ingest face. */
@NullMarked
package dev.parley.protocol.ingest;

import org.jspecify.annotations.NullMarked;
