/**
 * Sessions of Agno (<a href="https://docs.agno.com">docs.agno.com</a>): threads under their clients' names. The package
 * keeps every message beside its entry exactly as its client wrote it, cuts media out and restores them, and accepts
 * runs as streams of Agno's own events.
 */
@NullMarked
package dev.parley.sessions;

import org.jspecify.annotations.NullMarked;
