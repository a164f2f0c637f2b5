package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.FolderBlobs;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot be imported or exported is refused in a sentence, and nothing is changed. */
class RefusedArchiveTest {
    private final Kept here = new Kept();
    private final Kept there = new Kept();

    @BeforeEach
    void fill() throws IOException {
        here.talk(2, 3);
        here.keep("p", new byte[9]);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void exported() {
        assertThat(here.export()).as(here.said()).isTrue();
    }

    private Path rows() {
        return here.archive().resolve("threads/000001-1.jsonl");
    }

    private Path blob() throws IOException {
        try (Stream<Path> files = Files.walk(here.archive().resolve("blobs"))) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    private void refused(String words) {
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining(words)
                .hasMessageEndingWith(".");
        assertThat(there.select("select count(*) from threads")).isEqualTo("0");
        assertThat(there.select("select count(*) from imports")).isEqualTo("0");
        assertThat(there.select("select count(*) from agents")).isEqualTo("1");
    }

    @Test
    void aDamagedFileOfRows() throws IOException {
        exported();
        Files.writeString(rows(), Files.readString(rows()).replaceFirst("Nachricht 2", "Nachricht 9"));
        refused("is damaged");
    }

    @Test
    void aFileThatWasCutOff() throws IOException {
        exported();
        byte[] all = Files.readAllBytes(rows());
        Files.write(rows(), Arrays.copyOf(all, all.length / 2));
        refused("is damaged");
    }

    @Test
    void aMissingFileOfRows() throws IOException {
        exported();
        Files.delete(rows());
        refused("is missing");
    }

    @Test
    void missingBytes() throws IOException {
        exported();
        Files.delete(blob());
        refused("are missing or not whole");
    }

    /** Found only when they are read, after the rows: then the import stays unfinished, and no server starts on it. */
    @Test
    void damagedBytes() throws IOException {
        exported();
        byte[] good = Files.readAllBytes(blob());
        Files.write(blob(), new byte[] {1, 1, 1, 1, 1, 1, 1, 1, 1});
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("not what their name says");
        try (Database database = Database.open(there.address(), 1)) {
            assertThatThrownBy(() -> Import.requireNoneUnfinished(database))
                    .isInstanceOf(DatabaseUnavailable.class)
                    .hasMessageContaining("not finished");
            Files.write(blob(), good);
            assertThat(there.importFrom(here.archive())).as(there.said()).isTrue();
            Import.requireNoneUnfinished(database);
        }
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    @Test
    void aManifestThatDoesNotFitItsPieces() throws IOException {
        exported();
        Files.writeString(here.archive().resolve("pieces.jsonl"), "{}\n", StandardOpenOption.APPEND);
        refused("is damaged or missing");
    }

    @Test
    void anUnfinishedExport() throws IOException {
        exported();
        Path manifest = here.archive().resolve("manifest.json");
        Files.writeString(
                manifest,
                Files.readString(manifest).replaceFirst("\"finishedAt\" : \"[^\"]*\"", "\"finishedAt\" : null"));
        refused("is not finished");
    }

    @Test
    void anExportOfANewerSchema() throws IOException {
        exported();
        Path manifest = here.archive().resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("\"schema\" : \\d+", "\"schema\" : 4711"));
        refused("was made with schema 4711");
    }

    @Test
    void aFolderThatIsNoExport() throws IOException {
        Files.createDirectories(here.archive());
        Files.writeString(here.archive().resolve("thesis.txt"), "years of work");
        refused("holds no export of Parley");
        assertThatThrownBy(here::export)
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("is not empty, and holds no export");
        assertThat(here.archive()).isDirectoryContaining("glob:**/thesis.txt");
        try (Stream<Path> entries = Files.list(here.archive())) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void aDatabaseThatIsNotEmpty() {
        exported();
        there.execute("insert into known_names values ('user:x', 'X')");
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("not empty: there is something in the table known_names");
        assertThat(there.select("select count(*) from imports")).isEqualTo("0");
        assertThat(there.select("select count(*) from agents")).isEqualTo("1");
    }

    @Test
    void aDatabaseThatAServerUses() {
        exported();
        there.execute("insert into nodes (node_id, started_at, alive_until) values"
                + " (gen_random_uuid(), now(), now() + interval '1 minute')");
        refused("A server is running");
    }

    @Test
    void theFolderOfAnotherDatabasesExport() {
        exported();
        Path blobs = there.data.resolve("blobs");
        assertThatThrownBy(() -> Kept.export(here.archive(), there.address(), blobs, there.progress()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("an export of another database");
    }

    @Test
    void bytesThatTheServerHasLostAreNamedAndTheRestIsExported() throws IOException {
        try (FolderBlobs store = here.store()) {
            String hex = here.select("select encode(sha256, 'hex') from blobs");
            store.remove(new BlobId(hex));
            assertThat(here.export()).isFalse();
            assertThat(here.said()).contains("The bytes " + hex + " of an object are not in the storage");
        }
        assertThat(there.importFrom(here.archive())).as(there.said()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    @Test
    void aFinishedExportSaysSoAndStaysAsItIs() throws IOException {
        exported();
        List<Path> before = files();
        here.talk(1, 1);
        exported();
        assertThat(here.said()).contains("was finished at");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void onlyItsOwnerLooksIntoIt() throws IOException {
        exported();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(here.archive())))
                .isEqualTo("rwx------");
        for (Path file : files()) {
            if (!file.endsWith(FolderHold.FILE)) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo("rw-------");
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(here.archive())) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
