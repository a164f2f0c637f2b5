/** The proof for many nodes: a cluster on loopback, faults one after the other, and a judgement of all that was seen. */
@NullMarked
package dev.parley.bench.prove.cluster;

import org.jspecify.annotations.NullMarked;
