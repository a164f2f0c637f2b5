package dev.parley.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unsuitable folders and settings are refused in one sentence, and the folder stays untouched. */
class RefusedFolderTest {
    @RegisterExtension
    final PostgresFolder folder = new PostgresFolder();

    @Test
    void folderWithForeignFilesIsRefused() throws Exception {
        Files.createDirectories(folder.path());
        Files.writeString(folder.path().resolve("thesis.txt"), "years of work");
        refused("not empty and not a Parley data folder (it holds thesis.txt)");
        assertThat(entries()).containsExactly("thesis.txt");
    }

    @Test
    void clusterFolderThatIsNoClusterIsRefused() throws Exception {
        Files.createDirectories(folder.cluster());
        Files.writeString(folder.cluster().resolve("thesis.txt"), "years of work");
        refused("is not a PostgreSQL cluster");
        assertThat(entries()).containsExactly("cluster");
    }

    @Test
    void clusterOfAnotherMajorVersionIsRefused() throws Exception {
        Files.createDirectories(folder.cluster());
        Files.writeString(folder.cluster().resolve("PG_VERSION"), "16\n");
        refused("was made by PostgreSQL 16, but this Parley brings PostgreSQL 18");
        refused("export it with the Parley that made it (./parley export --to FOLDER)");
        refused("import that with this one into a new data folder (./parley import --from FOLDER --data NEW)");
        assertThat(entries()).containsExactly("cluster");
    }

    /** As if the folder's volume were not mounted: a new cluster would look like success. */
    @Test
    void aFolderThatLostItsClusterIsRefused() throws Exception {
        Files.createDirectories(folder.path());
        Files.writeString(folder.path().resolve("cluster.made"), "yes");
        refused("has lost its cluster");
        assertThat(folder.cluster()).doesNotExist();
    }

    @Test
    void fileInPlaceOfTheFolderIsRefused() throws Exception {
        Files.writeString(folder.path(), "");
        refused("is not a folder");
        Files.delete(folder.path());
    }

    @Test
    void unwritableFolderIsRefused() throws Exception {
        assumeTrue(Identity.self() != 0, "root may write everywhere");
        Files.createDirectories(
                folder.path(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        refused("is not writable for the user");
    }

    @Test
    void missingPasswordIsNamed() throws Exception {
        folder.start().close();
        Files.delete(folder.path().resolve("password"));
        refused("The password of the cluster cannot be read");
        assertThat(folder.cluster()).exists();
    }

    @Test
    void settingsThatLoseMessagesAreRefused() {
        for (String name : List.of("fsync", "full_page_writes", "synchronous_commit")) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(with(name, "off")))
                    .isInstanceOf(PostgresUnavailable.class)
                    .hasMessageContaining("runs with " + name + " off");
        }
    }

    @Test
    void unknownSettingIsNamedAsPostgresSaysIt() {
        assertThatThrownBy(() -> EmbeddedPostgres.start(with("no_such_setting", "1")))
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    @Test
    void settingsOfTheLauncherCannotBeChosen() {
        assertThatThrownBy(() -> with("listen_addresses", "*"))
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageContaining("\"listen_addresses\" is fixed by Parley");
    }

    @Test
    void programsInsideTheDataFolderAreRefused() {
        assertThatThrownBy(() -> EmbeddedPostgres.Settings.of(
                        folder.path(), folder.path().resolve("programs")))
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageContaining("must not lie in the data folder");
    }

    private EmbeddedPostgres.Settings with(String name, String value) {
        EmbeddedPostgres.Settings settings = folder.settings();
        return new EmbeddedPostgres.Settings(
                settings.dataFolder(),
                settings.binariesFolder(),
                Map.of(name, value),
                settings.startLimit(),
                settings.stopLimit());
    }

    private void refused(String words) {
        assertThatThrownBy(folder::start)
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageContaining(words)
                .hasMessageEndingWith(".");
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> entries = Files.list(folder.path())) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }
}
