/** Stores the context that the model of each run was shown, for later inspection, and the usage of the requests. */
@NullMarked
package dev.parley.contexts;

import org.jspecify.annotations.NullMarked;
