package dev.parley.archive;

import java.util.Map;

/**
 * A finished file of rows.
 *
 * @param name the path of the file in the archive's folder
 * @param sha256 the SHA-256 of the file's bytes, in hex
 * @param rows the number of rows by table
 */
record ArchivedFile(String name, long bytes, String sha256, Map<String, Long> rows) {}
