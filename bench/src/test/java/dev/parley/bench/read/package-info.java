/** The reading benchmark in its short form. */
@NullMarked
package dev.parley.bench.read;

import org.jspecify.annotations.NullMarked;
