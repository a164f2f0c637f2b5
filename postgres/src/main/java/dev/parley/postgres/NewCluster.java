package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Creates the cluster of an empty data folder. initdb works in a staging folder, and only a complete cluster is moved
 * out of it. Therefore an interruption leaves either no cluster or a whole one. The next attempt deletes leftover
 * staging folders.
 */
final class NewCluster {
    private static final int PASSWORD_BYTES = 24;

    private NewCluster() {}

    static void make(Installation installation, Duration limit) {
        DataFolder folder = installation.folder();
        try {
            for (Path leftover : folder.stagings()) {
                Folders.delete(leftover);
            }
            Path made = folder.path().resolve("cluster.made");
            if (folder.holdsCluster()) {
                if (!Files.exists(made)) {
                    writePrivately(made, "A cluster was made here. If it is gone, something is wrong.");
                }
                return;
            }
            if (Files.exists(made)) {
                // A volume that is not mounted must not look like a first start.
                throw new PostgresUnavailable(
                        "The data folder %s has lost its cluster; restore it, or remove %s to begin anew."
                                .formatted(folder.path(), made));
            }
            Path staging = folder.newStaging();
            String password = randomPassword();
            writePrivately(staging.resolve("password"), password);
            Folders.giveTo(installation.identity().owner(), staging);
            initdb(installation, staging, limit);
            writePrivately(folder.path().resolve("password.new"), password);
            Files.move(folder.path().resolve("password.new"), folder.passwordFile(), StandardCopyOption.ATOMIC_MOVE);
            Files.move(staging.resolve("cluster"), folder.cluster(), StandardCopyOption.ATOMIC_MOVE);
            writePrivately(made, "A cluster was made here. If it is gone, something is wrong.");
            Folders.force(folder.path());
            Folders.delete(staging);
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "A new PostgreSQL cluster could not be made in %s: %s.".formatted(folder.path(), Reasons.of(e)), e);
        }
    }

    private static void initdb(Installation installation, Path staging, Duration limit) throws IOException {
        ServerLog log = installation.folder().log();
        long mark = log.end();
        Process process = installation.start(installation
                .identity()
                .command(List.of(
                        installation.binaries().initdb().toString(),
                        "-D",
                        staging.resolve("cluster").toString(),
                        "--username=" + EmbeddedPostgres.USER,
                        "--pwfile=" + staging.resolve("password"),
                        "--auth-host=scram-sha-256",
                        "--auth-local=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--data-checksums",
                        "--no-instructions")));
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("initdb was not done within " + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("initdb was interrupted", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException(Reasons.of(log.since(mark)));
        }
    }

    private static String randomPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void writePrivately(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text + "\n");
        Folders.force(file);
    }
}
