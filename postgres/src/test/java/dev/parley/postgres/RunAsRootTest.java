package dev.parley.postgres;

import static dev.parley.postgres.PostgresFolder.execute;
import static dev.parley.postgres.PostgresFolder.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Root cannot run PostgreSQL itself; each alternative works, also one after another on the same folder. */
class RunAsRootTest {
    @RegisterExtension
    final PostgresFolder folder = new PostgresFolder();

    @BeforeEach
    void onlyAsRoot() {
        assumeTrue(Identity.self() == 0, "an ordinary user runs PostgreSQL directly");
    }

    @Test
    void everyWayServesTheSameFolderInTurn() throws Exception {
        // Other users must be able to reach the programs and the data; the build folder may be private.
        Files.setPosixFilePermissions(folder.parent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Binaries binaries = Binaries.unpackedIn(folder.parent().resolve("programs"));
        DataFolder data = DataFolder.open(folder.path(), binaries.majorVersion());
        List<Identity> ways = new ArrayList<>();
        ways.addAll(Identity.otherUsers());
        ways.addAll(Identity.namespaces(0));
        ways.removeIf(way -> !way.works(binaries, data));
        assertThat(ways).isNotEmpty();
        for (int turn = 0; turn < ways.size(); turn++) {
            Installation installation = new Installation(binaries, data, ways.get(turn));
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder.settings(), installation)) {
                execute(postgres, "create table turn_" + turn + " (n int)");
                assertThat(query(postgres, "select count(*) from pg_tables where schemaname = 'public'"))
                        .isEqualTo(Integer.toString(turn + 1));
                assertThat(Files.getAttribute(data.cluster(), "unix:uid"))
                        .isEqualTo((int) ways.get(turn).owner());
            }
        }
    }

    @Test
    void rootItselfIsRefusedByInitdbInItsOwnWords() {
        Binaries binaries = Binaries.unpackedIn(PostgresFolder.BINARIES);
        DataFolder data = DataFolder.open(folder.path(), binaries.majorVersion());
        Installation asRoot = new Installation(binaries, data, new Identity(List.of(), 0));
        assertThatThrownBy(() -> EmbeddedPostgres.start(folder.settings(), asRoot))
                .isInstanceOf(PostgresUnavailable.class)
                .hasMessageContaining("cannot be run as root");
    }

    @Test
    void aWayThatCannotReachTheFolderIsNotTaken() {
        Binaries binaries = Binaries.unpackedIn(PostgresFolder.BINARIES);
        // The parent is open to root alone, as a temporary folder is.
        DataFolder data = DataFolder.open(folder.path(), binaries.majorVersion());
        assertThat(Identity.otherUsers()).noneMatch(way -> way.works(binaries, data));
        assertThat(Path.of(folder.path().toString())).isEmptyDirectory();
    }
}
