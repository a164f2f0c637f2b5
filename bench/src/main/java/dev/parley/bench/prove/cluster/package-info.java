/** The proof for many nodes: a cluster on loopback, one fault after the other, and a judgement of all notes. */
@NullMarked
package dev.parley.bench.prove.cluster;

import org.jspecify.annotations.NullMarked;
