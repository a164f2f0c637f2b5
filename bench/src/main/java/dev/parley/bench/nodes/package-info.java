/** What a message costs on several nodes, beside what it costs on one. */
@NullMarked
package dev.parley.bench.nodes;

import org.jspecify.annotations.NullMarked;
