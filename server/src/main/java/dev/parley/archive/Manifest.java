package dev.parley.archive;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of an archive. The pieces of the archive are listed in a second file, so that an interrupted export
 * can continue.
 *
 * @param format the version of the folder's layout
 * @param exportId the id by which an interrupted import recognises this export
 * @param schema the number of the database's last migration
 * @param database the identity of the database; see {@link Schema}
 * @param startedAt the start of the export by the database's clock
 * @param columns the columns of every exported table
 * @param finishedAt the end of the export; null while the archive is being written
 * @param rows the number of rows by table
 * @param blobs the number of exported blobs
 * @param missingBlobs the blobs that the server's own store has lost or damaged, in hex
 * @param erasedBlobs the blobs that were erased during the export, in hex
 * @param serverFiles the SHA-256 of each of the server's own files, by its name
 * @param piecesSha256 the SHA-256 of the file with the pieces, which contains the hashes of all files with rows; null
 *     while the archive is being written
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

    /** The blobs that the archive does not have, in hex. */
    Set<String> absentBlobs() {
        return Stream.concat(missingBlobs.stream(), erasedBlobs.stream()).collect(Collectors.toSet());
    }

    /** The manifest of a new export. */
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
