/** What the model of each run was shown, kept so that anybody may look later; and what it cost. */
@NullMarked
package dev.parley.contexts;

import org.jspecify.annotations.NullMarked;
