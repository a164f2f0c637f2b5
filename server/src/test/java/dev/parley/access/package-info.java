/** The rights of every caller, tried for every operation of the API document. */
@NullMarked
package dev.parley.access;

import org.jspecify.annotations.NullMarked;
