package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.FolderBlobs;
import dev.parley.storage.DatabaseAddress;
import dev.parley.storage.DatabaseUnavailable;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A finished import has reported its findings and brought all data, and no server ran meanwhile. */
class ImportEndTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @BeforeEach
    void fill() throws IOException {
        here.appendMessages(2, 3);
        here.keep("p", new byte[9]);
        Files.writeString(here.data.resolve("secret"), "s");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void exported() {
        assertThat(here.export()).as(here.output()).isTrue();
    }

    private void imported() {
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
    }

    /** The chain was broken already at its origin. The finding is reported again on a repeated import. */
    @Test
    void findingsAreReportedAgain() {
        here.execute("update entries set content = 'forged' where seq = 2");
        exported();
        for (int time = 1; time <= 2; time++) {
            assertThat(there.importFrom(here.archive())).as(there.output()).isFalse();
        }
        assertThat(there.output()).contains("does not fit its digest", "Its verification had findings");
        assertThat(there.select("select sound from imports")).isEqualTo("f");
    }

    @Test
    void successIsReportedAgain() {
        exported();
        imported();
        imported();
        assertThat(there.output()).contains("was imported here already").doesNotContain("findings");
    }

    @Test
    void leftoversOfAKilledImportAreRemoved() throws IOException {
        exported();
        Path folder = Files.createDirectories(there.data.resolve("importing"));
        Files.write(folder.resolve("123.part"), new byte[3]);
        imported();
        assertThat(folder).doesNotExist();
    }

    @Test
    void serverFilesAreImported() {
        exported();
        imported();
        assertThat(there.data.resolve("secret")).hasContent("s");
    }

    @Test
    void existingServerFileStays() throws IOException {
        exported();
        Files.writeString(there.data.resolve("secret"), "another");
        imported();
        assertThat(there.data.resolve("secret")).hasContent("another");
        assertThat(there.output()).contains("has a file secret of its own and keeps it");
    }

    /** The archive has the row of the blob, but its bytes were erased meanwhile. */
    @Test
    void blobErasedDuringTheExportIsNotMissing() throws IOException {
        exported();
        String hex = here.select("select encode(sha256, 'hex') from blobs");
        ArchiveFolder folder = new ArchiveFolder(here.archive());
        Files.delete(folder.blob(new BlobId(hex)));
        here.reopen();
        try (FolderBlobs store = here.store()) {
            store.remove(new BlobId(hex));
        }
        here.execute("delete from objects");
        exported();
        assertThat(folder.manifest().erasedBlobs()).containsExactly(hex);
        imported();
        assertThat(there.select("select count(*) from objects")).isEqualTo("1");
    }

    /** The server checked for imports before this one began, and becomes visible only then. */
    @Test
    void serverThatStartsConcurrentlyIsSeen() {
        exported();
        onInsert("imports", """
                insert into nodes (node_id, started_at, alive_until)
                values (gen_random_uuid(), now(), now() + interval '1 minute')""");
        assertThatThrownBy(this::imported)
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("A server is running");
        assertThat(there.select("select count(*) from imports")).isEqualTo("0");
        assertThat(there.select("select count(*) from agents")).isEqualTo("1");
    }

    /** The other order: the import begins after the server has checked for imports. */
    @Test
    void importThatBeginsConcurrentlyIsSeen() {
        onInsert("nodes", "insert into imports (export_id, files, started_at) values (gen_random_uuid(), 0, now())");
        DatabaseAddress address = there.address();
        assertThatThrownBy(() -> RunningServer.start(
                                "--data",
                                there.data.toString(),
                                "--database-url",
                                address.jdbcUrl(),
                                "--database-user",
                                String.valueOf(address.user()),
                                "--database-password",
                                String.valueOf(address.password()))
                        .close())
                .isInstanceOf(DatabaseUnavailable.class)
                .hasMessageContaining("not finished");
        assertThat(there.select("select count(*) from nodes")).isEqualTo("0");
    }

    private void onInsert(String table, String statement) {
        // The schema must exist before the trigger.
        there.appendMessages(0, 0);
        there.execute(
                "create function meanwhile() returns trigger language plpgsql as $$ begin " + statement
                        + "; return new; end $$",
                "create trigger meanwhile after insert on " + table + " for each row execute function meanwhile()");
    }
}
