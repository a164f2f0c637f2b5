/** The figures that operators read, as far as no feature keeps them itself. */
@NullMarked
package dev.parley.app.metrics;

import org.jspecify.annotations.NullMarked;
