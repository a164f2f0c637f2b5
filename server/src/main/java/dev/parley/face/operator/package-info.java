/** What operators and their machines ask: health, readiness, metrics. */
@NullMarked
package dev.parley.face.operator;

import org.jspecify.annotations.NullMarked;
