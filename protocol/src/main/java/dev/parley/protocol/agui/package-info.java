/**
 * The wire records of AG-UI 1.0: what a run is given, and the events it answers with. Reading notes every fault by its
 * JSON path; writing leaves an absent member out and never writes it as null.
 */
@NullMarked
package dev.parley.protocol.agui;

import org.jspecify.annotations.NullMarked;
