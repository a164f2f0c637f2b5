/** The archive benchmark: time and memory of an export, an import and a verification, for a server of any size. */
@NullMarked
package dev.parley.bench.archive;

import org.jspecify.annotations.NullMarked;
