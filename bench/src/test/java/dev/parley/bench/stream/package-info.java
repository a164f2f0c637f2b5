/** The streaming benchmark in its short form. */
@NullMarked
package dev.parley.bench.stream;

import org.jspecify.annotations.NullMarked;
