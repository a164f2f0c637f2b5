/** Sessions, through the whole server. */
@NullMarked
package dev.parley.sessions;

import org.jspecify.annotations.NullMarked;
