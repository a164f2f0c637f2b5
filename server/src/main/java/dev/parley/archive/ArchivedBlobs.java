package dev.parley.archive;

import dev.parley.attachments.BlobId;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Visits the blobs that an archive's rows name. */
final class ArchivedBlobs {
    private static final String TABLE = "blobs";

    private ArchivedBlobs() {}

    /** The action for each blob. */
    interface Visitor {
        void visit(BlobId id, long bytes) throws IOException;
    }

    static void visit(ArchiveFolder folder, ArchivePieces pieces, Visitor visitor) throws IOException {
        for (ArchivedFile file : pieces.files()) {
            if (file.rows().containsKey(TABLE)) {
                visit(folder, file, visitor);
            }
        }
    }

    private static void visit(ArchiveFolder folder, ArchivedFile file, Visitor visitor) throws IOException {
        try (RowReader rows = RowReader.open(folder, file)) {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                if (rows.header().table().equals(TABLE)) {
                    List<String> columns = rows.header().columns();
                    String sha256 = value(row.get(), columns.indexOf("sha256"));
                    visitor.visit(
                            // PostgreSQL writes \x before the digits.
                            BlobId.of(HexFormat.of().parseHex(sha256.substring(2))),
                            Long.parseLong(value(row.get(), columns.indexOf("bytes"))));
                }
            }
        }
    }

    private static String value(List<@Nullable String> row, int column) {
        return Objects.requireNonNull(row.get(column));
    }
}
