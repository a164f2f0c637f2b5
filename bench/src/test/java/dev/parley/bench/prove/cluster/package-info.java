@NullMarked
package dev.parley.bench.prove.cluster;

import org.jspecify.annotations.NullMarked;
