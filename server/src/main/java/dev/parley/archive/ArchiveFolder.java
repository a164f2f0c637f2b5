package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.PrivateFiles;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * The layout of an archive: {@code manifest.json}, {@code pieces.jsonl}, rows under {@code threads} and {@code tables},
 * blobs under {@code blobs}, and the server's own secrets under {@code server}. Only the owner of the folder may read
 * the archive.
 */
record ArchiveFolder(Path path) {
    static final String THREADS = "threads";
    static final String TABLES = "tables";

    private static final String SERVER = "server";
    private static final String MANIFEST = "manifest.json";
    private static final String PIECES = "pieces.jsonl";
    private static final String BLOBS = "blobs";
    private static final int PREFIX = 2;

    /**
     * The names that an export gives its files of rows. An archive comes from elsewhere, so it must not be able to name
     * other files.
     */
    private static final Pattern ROWS = Pattern.compile("(threads|tables)/\\d{6,12}-\\d{1,12}\\.jsonl");

    boolean isEmpty() throws IOException {
        if (!Files.exists(path)) {
            return true;
        }
        if (!Files.isDirectory(path)) {
            throw new ArchiveRefused(path + " is a file; name a folder.");
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isEmpty();
        }
    }

    boolean hasManifest() {
        return Files.isRegularFile(path.resolve(MANIFEST));
    }

    /** True if an export was killed before it wrote its manifest. */
    boolean isWithoutManifest() throws IOException {
        try (Stream<Path> entries = Files.walk(path)) {
            return Files.exists(path.resolve(ArchiveLock.FILE))
                    && entries.allMatch(entry ->
                            Files.isDirectory(entry) || isUnfinished(entry) || entry.endsWith(ArchiveLock.FILE));
        }
    }

    /** Deletes the files of an interrupted piece, and unfinished files. */
    void deleteUnfinished(ArchivePieces pieces) throws IOException {
        Set<Path> whole = pieces.files().stream().map(this::file).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> isUnfinished(file) || isRowFile(file) && !whole.contains(file))
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    private static boolean isUnfinished(Path file) {
        return file.getFileName().toString().endsWith(".part");
    }

    private boolean isRowFile(Path file) {
        return file.startsWith(path.resolve(THREADS)) || file.startsWith(path.resolve(TABLES));
    }

    void make() throws IOException {
        PrivateFiles.makeFolders(path);
        for (String name : List.of(THREADS, TABLES, BLOBS, SERVER)) {
            PrivateFiles.makeFolder(path.resolve(name));
        }
    }

    Manifest manifest() {
        try {
            return Json.MAPPER.readValue(Files.readAllBytes(path.resolve(MANIFEST)), Manifest.class);
        } catch (IOException | JacksonException unreadable) {
            throw new ArchiveRefused("The file " + path.resolve(MANIFEST) + " cannot be read.", unreadable);
        }
    }

    void write(Manifest manifest) throws IOException {
        try (AtomicFile file = new AtomicFile(path, MANIFEST)) {
            file.write(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
            file.finish();
        }
    }

    Path piecesFile() {
        return path.resolve(PIECES);
    }

    Path file(ArchivedFile file) {
        if (!ROWS.matcher(file.name()).matches()) {
            throw new ArchiveRefused(
                    "The file " + piecesFile() + " names a file that no export writes: " + file.name() + ".");
        }
        return path.resolve(file.name());
    }

    Path blobs() {
        return path.resolve(BLOBS);
    }

    Path server() {
        return path.resolve(SERVER);
    }

    /** The path of one of the server's own files, which have no subfolders. */
    Path serverFile(String name) {
        Path file = server().resolve(name);
        if (!server().equals(file.normalize().getParent())) {
            throw new ArchiveRefused(
                    "The file " + path.resolve(MANIFEST) + " names a file that no export writes: " + name + ".");
        }
        return file;
    }

    /** The path of a blob, which may not exist. */
    Path blob(BlobId id) {
        return blobs().resolve(id.hex().substring(0, PREFIX)).resolve(id.hex().substring(PREFIX));
    }
}
