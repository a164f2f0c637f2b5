package dev.parley.archive;

import dev.parley.attachments.PrivateFiles;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/** The complete pieces of an archive, one line each, in the order in which they were written. */
final class ArchivePieces {
    private final Path file;
    private final List<Piece> all = new ArrayList<>();

    private ArchivePieces(Path file) {
        this.file = file;
    }

    static ArchivePieces read(ArchiveFolder folder) throws IOException {
        ArchivePieces pieces = new ArchivePieces(folder.piecesFile());
        if (Files.exists(pieces.file)) {
            pieces.read(pieces.wholeLines());
        }
        return pieces;
    }

    private void read(byte[] lines) {
        try {
            for (String line : new String(lines, StandardCharsets.UTF_8).lines().toList()) {
                all.add(Json.MAPPER.readValue(line, Piece.class));
            }
        } catch (JacksonException damaged) {
            throw new ArchiveRefused("The file " + file + " is damaged.", damaged);
        }
    }

    /** The content of the file without a last line whose writing was interrupted. */
    private byte[] wholeLines() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    /** Prepares the file for further pieces, by removing an incomplete last line. */
    void open() throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalStateException(file + " has no parent folder");
        }
        byte[] whole = Files.exists(file) ? wholeLines() : new byte[0];
        try (AtomicFile rising = new AtomicFile(folder, file.getFileName().toString())) {
            rising.write(whole);
            rising.finish();
        }
    }

    /** Adds a piece whose files are on the disk. From now on the piece is a part of the archive. */
    void add(Piece piece) throws IOException {
        byte[] line = (Json.MAPPER.writeValueAsString(piece) + "\n").getBytes(StandardCharsets.UTF_8);
        Files.write(file, line, StandardOpenOption.APPEND);
        PrivateFiles.sync(file);
        all.add(piece);
    }

    List<Piece> all() {
        return Collections.unmodifiableList(all);
    }

    List<ArchivedFile> files() {
        return all.stream().flatMap(piece -> piece.files().stream()).toList();
    }

    ChangesDuringExport meanwhile() {
        ChangesDuringExport last = all.isEmpty() ? null : all.getLast().meanwhile();
        return last == null ? ChangesDuringExport.NONE : last;
    }

    Map<String, Long> rows() {
        return all.stream()
                .flatMap(piece -> piece.rows().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }

    String sha256() throws IOException {
        return HexFormat.of().formatHex(Sha256.of(Files.readAllBytes(file)));
    }
}
