/**
 * Inbound messages of integrations and platforms, stored as they were typed, each once despite repetitions, in the
 * thread that their channel is bound to.
 */
@NullMarked
package dev.parley.ingest;

import org.jspecify.annotations.NullMarked;
