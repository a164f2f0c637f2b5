/**
 * The wire records of <a href="https://docs.ag-ui.com">AG-UI</a> 1.0: the input of a run, and the events that answer
 * the input. A reader notes every fault by its JSON path. A writer leaves an absent field out and never writes it as
 * null.
 */
@NullMarked
package dev.parley.protocol.agui;

import org.jspecify.annotations.NullMarked;
