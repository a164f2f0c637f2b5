package dev.parley.archive;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of an archive that was read in one transaction. The last piece contains the shared tables and the threads that
 * were created during the export. Every other piece contains the threads after those of the previous piece, up to its
 * own last thread.
 *
 * @param last the last thread of the piece; null in the last piece
 * @param meanwhile the changes during the export; null in every piece but the last
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
