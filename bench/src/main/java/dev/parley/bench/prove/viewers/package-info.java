/** The proof for many viewers: their streams stay whole while the nodes that they are connected to are killed. */
@NullMarked
package dev.parley.bench.prove.viewers;

import org.jspecify.annotations.NullMarked;
