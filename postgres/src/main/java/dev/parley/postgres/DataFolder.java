package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The layout of a data folder: the cluster, its password, the log, the lock, and the staging folders in which clusters
 * are created. A folder with other files is refused, and files that Parley did not create are never deleted.
 */
record DataFolder(Path path) {
    private static final String STAGING = "new-cluster-";
    private static final String CLUSTER = "cluster";
    private static final List<String> OURS = List.of(
            CLUSTER, "password", "password.new", "cluster.made", "postgres.log", "postgres.log.1", "parley.lock");

    Path cluster() {
        return path.resolve(CLUSTER);
    }

    Path passwordFile() {
        return path.resolve("password");
    }

    Path lockFile() {
        return path.resolve("parley.lock");
    }

    ServerLog log() {
        return new ServerLog(path.resolve("postgres.log"));
    }

    boolean holdsCluster() {
        return Files.exists(cluster());
    }

    /** Creates the folder if it is missing, and checks that the folder is usable before anything is written into it. */
    static DataFolder open(Path wanted, int majorVersion) {
        try {
            Path path = Files.createDirectories(wanted).toRealPath();
            if (!Files.isWritable(path)) {
                throw new PostgresUnavailable("The data folder %s is not writable for the user %s."
                        .formatted(path, System.getProperty("user.name")));
            }
            DataFolder folder = new DataFolder(path);
            folder.refuseForeignFiles();
            folder.refuseOtherVersion(majorVersion);
            return folder;
        } catch (FileAlreadyExistsException | NotDirectoryException e) {
            throw new PostgresUnavailable("The data folder %s is not a folder.".formatted(wanted), e);
        } catch (IOException e) {
            throw new PostgresUnavailable("The data folder %s cannot be used: %s.".formatted(wanted, Reasons.of(e)), e);
        }
    }

    private void refuseForeignFiles() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            List<String> foreign = entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !OURS.contains(name) && !name.startsWith(STAGING))
                    .sorted()
                    .toList();
            if (!holdsCluster() && !foreign.isEmpty()) {
                throw new PostgresUnavailable(
                        "The folder %s is not empty and not a Parley data folder (it holds %s); choose another one."
                                .formatted(path, foreign.getFirst()));
            }
        }
    }

    private void refuseOtherVersion(int majorVersion) throws IOException {
        if (!holdsCluster()) {
            return;
        }
        Path versionFile = cluster().resolve("PG_VERSION");
        if (!Files.exists(versionFile)) {
            throw new PostgresUnavailable(
                    "The folder %s is not a PostgreSQL cluster (it has no PG_VERSION); move it away."
                            .formatted(cluster()));
        }
        String version = Files.readString(versionFile).strip();
        if (!version.equals(Integer.toString(majorVersion))) {
            throw new PostgresUnavailable(
                    "The data folder %s was made by PostgreSQL %s, but this Parley brings PostgreSQL %d; export it with the Parley that made it (./parley export --to FOLDER), and import that with this one into a new data folder (./parley import --from FOLDER --data NEW)."
                            .formatted(path, version, majorVersion));
        }
    }

    Path newStaging() throws IOException {
        return Files.createTempDirectory(path, STAGING);
    }

    /** The staging folders left by interrupted attempts to create a cluster. */
    List<Path> stagings() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(STAGING))
                    .toList();
        }
    }

    String password() {
        try {
            return Files.readString(passwordFile()).strip();
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The password of the cluster cannot be read: %s.".formatted(Reasons.of(e)), e);
        }
    }
}
