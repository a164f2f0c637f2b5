/**
 * Sessions of Agno: threads by the names that their clients give them, every message kept exactly as its client wrote it
 * beside its entry in the log, media cut out and put back, and runs that stream Agno's own events.
 */
@NullMarked
package dev.parley.sessions;

import org.jspecify.annotations.NullMarked;
