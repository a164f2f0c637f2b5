/**
 * Exports a server's data to a folder of files and imports it again: {@code export}, {@code import}, and
 * {@code verify}, which checks the data before or after. The list of tables is read from the database's own catalogue,
 * so that no table is forgotten.
 */
@NullMarked
package dev.parley.archive;

import org.jspecify.annotations.NullMarked;
