/** What every chat platform's adapter is held to. */
@NullMarked
package dev.parley.platforms;

import org.jspecify.annotations.NullMarked;
