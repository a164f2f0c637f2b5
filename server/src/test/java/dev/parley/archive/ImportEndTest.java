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

/** When an import is over, it has said what is wrong, has brought everything along, and no server was in its way. */
class ImportEndTest {
    private final Kept here = new Kept();
    private final Kept there = new Kept();

    @BeforeEach
    void fill() throws IOException {
        here.talk(2, 3);
        here.keep("p", new byte[9]);
        Files.writeString(here.data.resolve("secret"), "s");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void exported() {
        assertThat(here.export()).as(here.said()).isTrue();
    }

    private void imported() {
        assertThat(there.importFrom(here.archive())).as(there.said()).isTrue();
    }

    /** The chain was broken already where it came from. Once said, it is not forgotten. */
    @Test
    void whatWasWrongIsSaidAgain() {
        here.execute("update entries set content = 'forged' where seq = 2");
        exported();
        for (int time = 1; time <= 2; time++) {
            assertThat(there.importFrom(here.archive())).as(there.said()).isFalse();
        }
        assertThat(there.said()).contains("does not fit its digest", "Something was wrong with it then");
        assertThat(there.select("select sound from imports")).isEqualTo("f");
    }

    @Test
    void whatWasRightIsSaidAgain() {
        exported();
        imported();
        imported();
        assertThat(there.said()).contains("was imported here already").doesNotContain("wrong");
    }

    @Test
    void whatAKilledImportLeftOfBytesIsInNobodysWay() throws IOException {
        exported();
        Path folder = Files.createDirectories(there.data.resolve("importing"));
        Files.write(folder.resolve("123.part"), new byte[3]);
        imported();
        assertThat(folder).doesNotExist();
    }

    @Test
    void theServersOwnFilesAreThere() {
        exported();
        imported();
        assertThat(there.data.resolve("secret")).hasContent("s");
    }

    @Test
    void aFileOfTheDataFoldersOwnStays() throws IOException {
        exported();
        Files.writeString(there.data.resolve("secret"), "another");
        imported();
        assertThat(there.data.resolve("secret")).hasContent("another");
        assertThat(there.said()).contains("has a file secret of its own and keeps it");
    }

    /** Its row is in the archive, and then nobody was to have its bytes any more. */
    @Test
    void bytesThatWereErasedDuringTheExportAreNotLost() throws IOException {
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

    /** It had looked for imports before this one was begun, and says only then that it is there. */
    @Test
    void aServerThatStartsAtTheSameTimeIsSeen() {
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

    /** The other way round: it was begun after the server had looked for imports. */
    @Test
    void anImportThatBeginsAtTheSameTimeIsSeen() {
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
        // The schema is made by whoever comes first.
        there.talk(0, 0);
        there.execute(
                "create function meanwhile() returns trigger language plpgsql as $$ begin " + statement
                        + "; return new; end $$",
                "create trigger meanwhile after insert on " + table + " for each row execute function meanwhile()");
    }
}
