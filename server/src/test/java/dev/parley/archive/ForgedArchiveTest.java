package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.basics.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An archive comes from elsewhere: whatever it names, only files of an export are read and only its tables are filled.
 */
class ForgedArchiveTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @BeforeEach
    void export() throws IOException {
        here.appendMessages(2, 3);
        Files.writeString(here.data.resolve("secret"), "s");
        assertThat(here.export()).as(here.output()).isTrue();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private Path rows() {
        return here.archive().resolve("threads/000001-1.jsonl");
    }

    private Path manifest() {
        return here.archive().resolve("manifest.json");
    }

    private void refused(String words) {
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining(words)
                .hasMessageEndingWith(".");
        assertThat(there.select("select count(*) from threads")).isEqualTo("0");
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Rewrites the pieces, and their hash in the manifest. */
    private void rewritePieces(String from, String to) throws IOException {
        Path pieces = here.archive().resolve("pieces.jsonl");
        String before = Files.readString(pieces);
        assertThat(before).contains(from);
        String after = before.replace(from, to);
        Files.writeString(pieces, after);
        Files.writeString(manifest(), Files.readString(manifest()).replace(hash(before), hash(after)));
    }

    private void rewriteRows(String from, String to) throws IOException {
        String before = Files.readString(rows());
        assertThat(before).contains(from);
        Files.writeString(rows(), before.replace(from, to));
        rewritePieces(hash(before), hash(Files.readString(rows())));
        rewritePieces("\"bytes\":" + before.getBytes(StandardCharsets.UTF_8).length, "\"bytes\":" + Files.size(rows()));
    }

    @Test
    void fileOutsideOfTheFolderIsRefused() throws IOException {
        Files.move(rows(), here.data.resolve("outside.jsonl"));
        rewritePieces("threads/000001-1.jsonl", "threads/../../outside.jsonl");
        refused("names a file that no export writes");
    }

    @Test
    void serverFileOutsideOfTheFolderIsRefused() throws IOException {
        Files.writeString(manifest(), Files.readString(manifest()).replace("\"secret\"", "\"../manifest.json\""));
        refused("names a file that no export writes");
    }

    @Test
    void missingServerFileIsRefused() throws IOException {
        Files.delete(here.archive().resolve("server/secret"));
        refused("is missing or damaged");
    }

    @Test
    void rowsOfATableThatIsNotExportedAreRefused() throws IOException {
        rewriteRows("\"table\":\"threads\"", "\"table\":\"imports\"");
        refused("rows of a table imports");
    }

    @Test
    void columnThatIsNotExportedIsRefused() throws IOException {
        rewriteRows("\"head_hash\"", "\"xmin\"");
        refused("rows of a table thread_heads");
    }
}
