@NullMarked
package dev.parley.bench.prove.hostile;

import org.jspecify.annotations.NullMarked;
