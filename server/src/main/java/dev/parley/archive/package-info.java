/**
 * Everything a server knows as a folder of files, and back: {@code export}, {@code import}, and {@code verify}, which
 * checks either end. What there is to carry is read from the database's own catalogue, so that nothing is forgotten.
 */
@NullMarked
package dev.parley.archive;

import org.jspecify.annotations.NullMarked;
