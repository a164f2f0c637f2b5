/** Puts the release archive together: programs, documents, licences, in a fixed order and with fixed times. */
@NullMarked
package dev.parley.release;

import org.jspecify.annotations.NullMarked;
