/** The routes for operators and their machines: health, readiness, metrics. */
@NullMarked
package dev.parley.face.operator;

import org.jspecify.annotations.NullMarked;
