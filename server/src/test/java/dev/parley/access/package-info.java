/** Who may call what, tried for every operation that the API's document knows. */
@NullMarked
package dev.parley.access;

import org.jspecify.annotations.NullMarked;
