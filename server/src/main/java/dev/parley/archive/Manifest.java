package dev.parley.archive;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an archive is. Its pieces stand in a file beside it, by which an interrupted export goes on.
 *
 * @param format counts the ways in which such folders were written
 * @param exportId names this export, so that an interrupted import knows it again
 * @param schema the number of the last migration that the database had
 * @param database tells one database from another
 * @param startedAt by the database's clock
 * @param columns of every table that is carried
 * @param finishedAt null while it is being written
 * @param rows how many there are of each table
 * @param blobs how many objects' bytes there are
 * @param missingBlobs those that the server's own store did not have, in hexadecimal digits
 * @param erasedBlobs those that nobody held any more when they were looked for: they were erased during the export
 * @param serverFiles the SHA-256 of each of the server's own files, by its name
 * @param piecesSha256 of the file with the pieces, which has the hashes of all the others
 */
record Manifest(
        int format,
        UUID exportId,
        String parley,
        int schema,
        String database,
        String startedAt,
        Map<String, List<String>> columns,
        @Nullable String finishedAt,
        Map<String, Long> rows,
        long blobs,
        long blobBytes,
        List<String> missingBlobs,
        List<String> erasedBlobs,
        Map<String, String> serverFiles,
        @Nullable String piecesSha256) {
    static final int FORMAT = 1;

    boolean isFinished() {
        return finishedAt != null;
    }

    /** The bytes that are not there, for whatever reason, in hexadecimal digits. */
    Set<String> absentBlobs() {
        return Stream.concat(missingBlobs.stream(), erasedBlobs.stream()).collect(Collectors.toSet());
    }

    /** As an export begins. */
    static Manifest begun(String parley, Schema schema, Map<String, List<String>> columns) {
        return new Manifest(
                FORMAT,
                UUID.randomUUID(),
                parley,
                schema.version(),
                schema.database(),
                schema.now(),
                columns,
                null,
                Map.of(),
                0,
                0,
                List.of(),
                List.of(),
                Map.of(),
                null);
    }

    Manifest finished(
            String at, Map<String, Long> counted, BlobExport bytes, Map<String, String> files, String sha256) {
        return new Manifest(
                format,
                exportId,
                parley,
                schema,
                database,
                startedAt,
                columns,
                at,
                counted,
                bytes.count(),
                bytes.bytes(),
                bytes.missing(),
                bytes.erased(),
                files,
                sha256);
    }
}
