/** Tests of the command line. */
@NullMarked
package dev.parley.bench;

import org.jspecify.annotations.NullMarked;
