/** Small rules that every package may use: text that can be stored, the hash, the backoff. No I/O. */
@NullMarked
package dev.parley.basics;

import org.jspecify.annotations.NullMarked;
