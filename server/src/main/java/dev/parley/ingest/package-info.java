/**
 * What integrations bring: messages of people elsewhere, stored as they were typed, each once however often it is
 * delivered, in the thread that their channel is bound to.
 */
@NullMarked
package dev.parley.ingest;

import org.jspecify.annotations.NullMarked;
