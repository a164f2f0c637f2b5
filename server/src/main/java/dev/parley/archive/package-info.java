/**
 * Exports a server's data to a folder of files and imports it again: {@code export}, {@code import}, and {@code
 * verify}, which checks either end. The tables are read from the database's own catalogue, so that none is forgotten.
 */
@NullMarked
package dev.parley.archive;

import org.jspecify.annotations.NullMarked;
