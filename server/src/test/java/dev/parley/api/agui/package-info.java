/** The AG-UI face, by its real clients. */
@NullMarked
package dev.parley.api.agui;

import org.jspecify.annotations.NullMarked;
