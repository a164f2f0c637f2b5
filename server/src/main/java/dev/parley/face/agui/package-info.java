/** The AG-UI face: the unmodified clients of that protocol start runs here, follow them, come back to them and stop them. */
@NullMarked
package dev.parley.face.agui;

import org.jspecify.annotations.NullMarked;
