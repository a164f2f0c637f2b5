/** The metrics that operators read, except those that a feature keeps itself. */
@NullMarked
package dev.parley.app.metrics;

import org.jspecify.annotations.NullMarked;
