/** The benchmark of nodes in its short form. */
@NullMarked
package dev.parley.bench.nodes;

import org.jspecify.annotations.NullMarked;
