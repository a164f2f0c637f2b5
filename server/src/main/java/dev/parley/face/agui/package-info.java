/** The AG-UI face. Unmodified AG-UI clients start runs here, follow them, come back to them and stop them. */
@NullMarked
package dev.parley.face.agui;

import org.jspecify.annotations.NullMarked;
