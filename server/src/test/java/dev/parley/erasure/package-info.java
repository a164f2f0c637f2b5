/** Erasure and retention, through the whole server. */
@NullMarked
package dev.parley.erasure;

import org.jspecify.annotations.NullMarked;
