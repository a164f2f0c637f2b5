/**
 * The program: reads its configuration, builds everything by hand, starts it and stops it. The only package that sees
 * all features.
 */
@NullMarked
package dev.parley.app;

import org.jspecify.annotations.NullMarked;
