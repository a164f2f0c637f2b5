/** The benchmark of several nodes: the cost of a message on them, beside its cost on one node. */
@NullMarked
package dev.parley.bench.nodes;

import org.jspecify.annotations.NullMarked;
