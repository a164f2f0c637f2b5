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

/** An impossible import or export is refused in one sentence, and changes nothing. */
class RefusedArchiveTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @BeforeEach
    void fill() throws IOException {
        here.appendMessages(2, 3);
        here.keep("p", new byte[9]);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void exported() {
        assertThat(here.export()).as(here.output()).isTrue();
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
    void damagedRowFileIsRefused() throws IOException {
        exported();
        Files.writeString(rows(), Files.readString(rows()).replaceFirst("Nachricht 2", "Nachricht 9"));
        refused("is damaged");
    }

    @Test
    void truncatedRowFileIsRefused() throws IOException {
        exported();
        byte[] all = Files.readAllBytes(rows());
        Files.write(rows(), Arrays.copyOf(all, all.length / 2));
        refused("is damaged");
    }

    @Test
    void missingRowFileIsRefused() throws IOException {
        exported();
        Files.delete(rows());
        refused("is missing");
    }

    @Test
    void missingBlobIsRefused() throws IOException {
        exported();
        Files.delete(blob());
        refused("is missing or incomplete");
    }

    /** Found only when it is read, after the rows: the import stays unfinished, and no server starts on it. */
    @Test
    void damagedBlobIsRefused() throws IOException {
        exported();
        byte[] good = Files.readAllBytes(blob());
        Files.write(blob(), new byte[] {1, 1, 1, 1, 1, 1, 1, 1, 1});
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("do not have the hash in its name");
        try (Database database = Database.open(there.address(), 1)) {
            assertThatThrownBy(() -> Import.requireNoneUnfinished(database))
                    .isInstanceOf(DatabaseUnavailable.class)
                    .hasMessageContaining("not finished");
            Files.write(blob(), good);
            assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
            Import.requireNoneUnfinished(database);
        }
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    @Test
    void manifestThatDoesNotFitItsPiecesIsRefused() throws IOException {
        exported();
        Files.writeString(here.archive().resolve("pieces.jsonl"), "{}\n", StandardOpenOption.APPEND);
        refused("is damaged or missing");
    }

    @Test
    void unfinishedExportIsRefused() throws IOException {
        exported();
        Path manifest = here.archive().resolve("manifest.json");
        Files.writeString(
                manifest,
                Files.readString(manifest).replaceFirst("\"finishedAt\" : \"[^\"]*\"", "\"finishedAt\" : null"));
        refused("is not finished");
    }

    @Test
    void exportOfANewerSchemaIsRefused() throws IOException {
        exported();
        Path manifest = here.archive().resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("\"schema\" : \\d+", "\"schema\" : 4711"));
        refused("was made with schema 4711");
    }

    @Test
    void folderWithoutAnExportIsRefused() throws IOException {
        Files.createDirectories(here.archive());
        Files.writeString(here.archive().resolve("thesis.txt"), "years of work");
        refused("holds no export of Parley");
        assertThatThrownBy(here::export)
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("is not empty, and holds no unfinished export");
        assertThat(here.archive()).isDirectoryContaining("glob:**/thesis.txt");
        try (Stream<Path> entries = Files.list(here.archive())) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void databaseThatIsNotEmptyIsRefused() {
        exported();
        there.execute("insert into known_names values ('user:x', 'X')");
        assertThatThrownBy(() -> there.importFrom(here.archive()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("not empty: the table known_names has rows");
        assertThat(there.select("select count(*) from imports")).isEqualTo("0");
        assertThat(there.select("select count(*) from agents")).isEqualTo("1");
    }

    @Test
    void databaseInUseByAServerIsRefused() {
        exported();
        there.execute("insert into nodes (node_id, started_at, alive_until) values"
                + " (gen_random_uuid(), now(), now() + interval '1 minute')");
        refused("A server is running");
    }

    @Test
    void folderOfAnotherDatabasesExportIsRefused() {
        exported();
        Path blobs = there.data.resolve("blobs");
        assertThatThrownBy(() -> ArchiveFixture.export(here.archive(), there.address(), blobs, there.progress()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("an export of another database");
    }

    @Test
    void lostBlobsAreNamedAndTheRestIsExported() throws IOException {
        try (FolderBlobs store = here.store()) {
            String hex = here.select("select encode(sha256, 'hex') from blobs");
            store.remove(new BlobId(hex));
            assertThat(here.export()).isFalse();
            assertThat(here.output()).contains("Blob " + hex + " of an object is missing in the store");
        }
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    @Test
    void finishedExportStaysUnchanged() throws IOException {
        exported();
        List<Path> before = files();
        here.appendMessages(1, 1);
        exported();
        assertThat(here.output()).contains("was finished at");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void archiveIsReadableByItsOwnerAlone() throws IOException {
        exported();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(here.archive())))
                .isEqualTo("rwx------");
        for (Path file : files()) {
            if (!file.endsWith(ArchiveLock.FILE)) {
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
