/** The proof for many viewers: their streams stay whole while their nodes are killed. */
@NullMarked
package dev.parley.bench.prove.viewers;

import org.jspecify.annotations.NullMarked;
