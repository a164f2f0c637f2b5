/** Tests that the documents tell the truth about the code. */
@NullMarked
package dev.parley.docs;

import org.jspecify.annotations.NullMarked;
