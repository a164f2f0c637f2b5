package dev.parley.archive;

import dev.parley.basics.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A finished, readable archive. The whole archive is checked before any row is imported. */
record ImportableArchive(ArchiveFolder folder, Manifest manifest, ArchivePieces pieces) {
    private static final int BUFFER = 64 * 1024;

    static ImportableArchive open(Path path) throws IOException {
        ArchiveFolder folder = new ArchiveFolder(path.toAbsolutePath().normalize());
        if (!folder.hasManifest()) {
            throw new ArchiveRefused(
                    "The folder " + folder.path() + " holds no export of Parley: it has no manifest.json.");
        }
        Manifest manifest = folder.manifest();
        if (manifest.format() != Manifest.FORMAT) {
            throw new ArchiveRefused("The export in " + folder.path() + " has format " + manifest.format()
                    + ", and this Parley reads format " + Manifest.FORMAT + ".");
        }
        if (!manifest.isFinished()) {
            throw new ArchiveRefused("The export in " + folder.path() + " is not finished; call ./parley export --to "
                    + folder.path() + " again where it was made.");
        }
        ArchivePieces pieces = ArchivePieces.read(folder);
        if (!Files.exists(folder.piecesFile()) || !pieces.sha256().equals(manifest.piecesSha256())) {
            throw new ArchiveRefused("The file " + folder.piecesFile() + " is damaged or missing.");
        }
        return new ImportableArchive(folder, manifest, pieces);
    }

    List<ArchivedFile> files() {
        return pieces.files();
    }

    /** Refuses an archive whose tables or columns the schema does not have. */
    void requireSchema(Schema schema, ArchivedTables tables) {
        if (manifest.schema() > schema.version()) {
            throw new ArchiveRefused("The export was made with schema " + manifest.schema() + " (Parley "
                    + manifest.parley() + "), and this Parley has schema " + schema.version()
                    + "; import it with the Parley that made it, or a newer one.");
        }
        if (!manifest.columns().keySet().containsAll(manifest.rows().keySet())) {
            throw new ArchiveRefused("The export has rows of tables that its manifest does not name.");
        }
        for (Map.Entry<String, List<String>> each : manifest.columns().entrySet()) {
            Optional<Table> table = tables.find(each.getKey());
            if (table.isEmpty() || !Set.copyOf(table.get().columnNames()).containsAll(each.getValue())) {
                throw new ArchiveRefused(
                        "The export has a table " + each.getKey() + " with columns that this Parley does not have.");
            }
        }
    }

    /** Refuses rows of tables or columns that the manifest does not name, because only the named ones were checked. */
    void requireInManifest(RowWriter.Header header) {
        List<String> columns = manifest.columns().getOrDefault(header.table(), List.of());
        if (columns.isEmpty() || !columns.containsAll(header.columns())) {
            throw new ArchiveRefused("The export has rows of a table " + header.table()
                    + " with columns that its manifest does not name.");
        }
    }

    /** Checks all files from this index on, and that all blobs exist, so that a damaged archive changes nothing. */
    void requireWhole(int fromFile) throws IOException {
        for (ArchivedFile file : files().subList(fromFile, files().size())) {
            Path path = folder.file(file);
            if (!Files.isRegularFile(path)) {
                throw new ArchiveRefused("The file " + path + " is missing; nothing was changed.");
            }
            if (Files.size(path) != file.bytes() || !sha256(path).equals(file.sha256())) {
                throw new ArchiveRefused("The file " + path
                        + " is damaged: it differs from what the export wrote; nothing was changed.");
            }
        }
        ServerFiles.requireWhole(folder, manifest.serverFiles());
        Set<String> absent = manifest.absentBlobs();
        ArchivedBlobs.visit(folder, pieces, (id, bytes) -> {
            Path path = folder.blob(id);
            if (!absent.contains(id.hex()) && (!Files.isRegularFile(path) || Files.size(path) != bytes)) {
                throw new ArchiveRefused(
                        "The file " + path + " of an object is missing or incomplete; nothing was changed.");
            }
        });
    }

    private static String sha256(Path path) throws IOException {
        MessageDigest digest = Sha256.begin();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
            int read = 0;
            while (read >= 0) {
                read = in.read(buffer);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
