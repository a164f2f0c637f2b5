/** The commands besides {@code serve}: tokens, export, import, verification, and the rehearsal of a start. */
@NullMarked
package dev.parley.app.cli;

import org.jspecify.annotations.NullMarked;
