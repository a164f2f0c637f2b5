/** Compares the documents with the code. */
@NullMarked
package dev.parley.docs;

import org.jspecify.annotations.NullMarked;
