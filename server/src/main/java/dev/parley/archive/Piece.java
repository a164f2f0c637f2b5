package dev.parley.archive;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of an archive that was read in one transaction: the threads after those of the piece before, up to the last
 * one; or, as the last piece, the shared tables, with the threads made meanwhile.
 *
 * @param last null for the last piece
 * @param meanwhile null for all but the last piece
 */
record Piece(
        int number,
        @Nullable UUID last,
        long threads,
        List<ArchivedFile> files,
        @Nullable ChangesDuringExport meanwhile) {
    boolean isRest() {
        return last == null;
    }

    Map<String, Long> rows() {
        return files.stream()
                .flatMap(file -> file.rows().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }
}
