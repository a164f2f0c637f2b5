/** The benchmark of several nodes, which compares the cost of a message there with its cost on one node. */
@NullMarked
package dev.parley.bench.nodes;

import org.jspecify.annotations.NullMarked;
