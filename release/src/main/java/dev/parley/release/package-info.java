/** Puts the release archive together: programs, documents, licences, all in an order and with times that are fixed. */
@NullMarked
package dev.parley.release;

import org.jspecify.annotations.NullMarked;
