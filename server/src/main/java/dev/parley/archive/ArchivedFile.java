package dev.parley.archive;

import java.util.Map;

/**
 * A finished file of rows.
 *
 * @param name its path in the archive's folder
 * @param sha256 of its bytes, in hexadecimal digits
 * @param rows how many it has of each table
 */
record ArchivedFile(String name, long bytes, String sha256, Map<String, Long> rows) {}
