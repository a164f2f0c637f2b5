package dev.parley.archive;

import java.util.Map;

/**
 * A finished file of rows.
 *
 * @param name its path in the archive's folder
 * @param sha256 of its bytes, in hex
 * @param rows their number by table
 */
record ArchivedFile(String name, long bytes, String sha256, Map<String, Long> rows) {}
