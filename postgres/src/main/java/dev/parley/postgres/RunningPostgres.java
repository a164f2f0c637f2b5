package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.postgresql.util.URLCoder;

/**
 * A PostgreSQL that another Parley process has started on its data folder. Commands that run beside that process
 * connect to this PostgreSQL, but the other process owns it. PostgreSQL may therefore end or move to another port at
 * any time.
 */
public record RunningPostgres(int port, String password) {
    /** The PostgreSQL that runs on this folder now; empty if none does. The folder stays untouched. */
    public static Optional<RunningPostgres> find(Path dataFolder) {
        try {
            if (!Files.isDirectory(dataFolder)) {
                return Optional.empty();
            }
            DataFolder folder = new DataFolder(dataFolder.toRealPath());
            if (!FolderLock.isHeld(folder.lockFile())) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(folder.cluster().resolve("postmaster.pid"));
            if (lines.size() <= Postmaster.STATE_LINE
                    || !lines.get(Postmaster.STATE_LINE).strip().equals("ready")) {
                throw new PostgresUnavailable("A Parley is just starting or stopping on the data folder %s; try again."
                        .formatted(dataFolder));
            }
            return Optional.of(new RunningPostgres(
                    Integer.parseInt(lines.get(Postmaster.PORT_LINE).strip()), folder.password()));
        } catch (IOException | NumberFormatException unreadable) {
            throw new PostgresUnavailable(
                    "A Parley uses the data folder %s, but its PostgreSQL cannot be found: %s."
                            .formatted(dataFolder, unreadable.getMessage()),
                    unreadable);
        }
    }

    /** True if a cluster was ever made in this folder. */
    public static boolean isIn(Path dataFolder) {
        return new DataFolder(dataFolder).holdsCluster();
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://%s:%d/%s".formatted(Postmaster.HOST, port, URLCoder.encode(database));
    }

    public String user() {
        return EmbeddedPostgres.USER;
    }

    @Override
    public String toString() {
        return "RunningPostgres[" + port + "]";
    }
}
