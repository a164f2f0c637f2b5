@NullMarked
package dev.parley.bench.prove.viewers;

import org.jspecify.annotations.NullMarked;
