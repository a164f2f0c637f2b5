/** What an export, an import and a verification take, in time and in memory, for a server of any size. */
@NullMarked
package dev.parley.bench.archive;

import org.jspecify.annotations.NullMarked;
