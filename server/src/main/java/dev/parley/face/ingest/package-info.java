/** Submission of messages by integrations, {@code /api/v1/ingest/*}: routes and wire mapping only. */
@NullMarked
package dev.parley.face.ingest;

import org.jspecify.annotations.NullMarked;
