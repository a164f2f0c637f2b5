/**
 * The program: it reads the configuration, builds all parts by hand, starts them and stops them. This is the only
 * package that depends on all features.
 */
@NullMarked
package dev.parley.app;

import org.jspecify.annotations.NullMarked;
