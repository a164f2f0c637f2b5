/** The context that each run's model was shown, stored for later inspection, and its usage. */
@NullMarked
package dev.parley.contexts;

import org.jspecify.annotations.NullMarked;
