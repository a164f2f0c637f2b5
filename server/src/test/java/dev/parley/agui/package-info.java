/** The AG-UI face, by its real clients. */
@NullMarked
package dev.parley.agui;

import org.jspecify.annotations.NullMarked;
