package dev.parley.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The unpacked PostgreSQL programs. The first process unpacks the programs, once per archive, into a folder named after
 * the archive's checksum. The marker file in the folder is written last and means that the folder is complete.
 */
record Binaries(Path folder, int majorVersion) {
    private static final String MARKER = "complete";
    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
    private static final Duration VERSION_LIMIT = Duration.ofSeconds(30);
    /** A file lock guards against other processes only; threads of this process need a monitor as well. */
    private static final Object UNPACKING = new Object();

    Path initdb() {
        return folder.resolve("bin/initdb");
    }

    Path postgres() {
        return folder.resolve("bin/postgres");
    }

    static Binaries unpackedIn(Path cache) {
        Archive archive = Archive.ofThisPlatform();
        try {
            Path folder = Files.createDirectories(cache).toRealPath().resolve(archive.folderName());
            Optional<Binaries> ready = complete(folder);
            return ready.isPresent() ? ready.get() : unpackLocked(archive, folder);
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The PostgreSQL programs could not be unpacked into %s: %s.".formatted(cache, Reasons.of(e)), e);
        }
    }

    private static Binaries unpackLocked(Archive archive, Path folder) throws IOException {
        Path lockFile = folder.resolveSibling(folder.getFileName() + ".lock");
        synchronized (UNPACKING) {
            try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                Optional<Binaries> ready = complete(folder);
                return ready.isPresent() ? ready.get() : unpack(archive, folder);
            }
        }
    }

    private static Binaries unpack(Archive archive, Path folder) throws IOException {
        Path partial = folder.resolveSibling(folder.getFileName() + ".partial");
        Folders.delete(partial);
        Folders.delete(folder);
        Files.createDirectories(partial);
        archive.unpackTo(partial);
        String version = versionOf(partial.resolve("bin/postgres"));
        Folders.flush(partial);
        Files.writeString(partial.resolve(MARKER), version);
        Folders.force(partial.resolve(MARKER));
        Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
        return complete(folder).orElseThrow(() -> new IOException("unknown version " + version));
    }

    private static String versionOf(Path postgres) throws IOException {
        ShortCommand.Result result = ShortCommand.run(List.of(postgres.toString(), "--version"), VERSION_LIMIT);
        if (!result.succeeded()) {
            throw new IOException("the programs do not run on this machine: "
                    + result.output().strip());
        }
        return result.output();
    }

    private static Optional<Binaries> complete(Path folder) throws IOException {
        Path marker = folder.resolve(MARKER);
        if (!Files.exists(marker)) {
            return Optional.empty();
        }
        Matcher version = VERSION.matcher(Files.readString(marker));
        return version.find()
                ? Optional.of(new Binaries(folder, Integer.parseInt(version.group(1))))
                : Optional.empty();
    }

    /**
     * The archive of this platform on the class path. Its checksum comes from the table of contents of the jar, and
     * the archive itself is not read for it.
     */
    private record Archive(URL url, String name, long checksum) {

        static Archive ofThisPlatform() {
            String name = nameFor(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
            URL url = Binaries.class.getResource("/" + name);
            if (url == null) {
                throw new PostgresUnavailable(
                        "No PostgreSQL for this platform is bundled (%s is missing); set PARLEY_DATABASE_URL to use an external one."
                                .formatted(name));
            }
            try {
                return new Archive(url, name, checksum(url));
            } catch (IOException e) {
                throw new PostgresUnavailable(
                        "The bundled PostgreSQL archive %s cannot be read: %s.".formatted(name, Reasons.of(e)), e);
            }
        }

        String folderName() {
            return "%s-%08x".formatted(name.substring(0, name.lastIndexOf('.')), checksum);
        }

        void unpackTo(Path target) throws IOException {
            try (CheckedInputStream checked = new CheckedInputStream(open(), new CRC32())) {
                Tar.unpack(new XZInputStream(checked), target);
                checked.transferTo(OutputStream.nullOutputStream());
                if (checked.getChecksum().getValue() != checksum) {
                    throw new IOException("the archive " + name + " is damaged");
                }
            }
        }

        private InputStream open() throws IOException {
            URLConnection connection = url.openConnection();
            connection.setUseCaches(false);
            return connection.getInputStream();
        }

        private static long checksum(URL url) throws IOException {
            URLConnection connection = url.openConnection();
            if (connection instanceof JarURLConnection jar && jar.getJarEntry() != null) {
                return jar.getJarEntry().getCrc();
            }
            try (CheckedInputStream checked = new CheckedInputStream(connection.getInputStream(), new CRC32())) {
                checked.transferTo(OutputStream.nullOutputStream());
                return checked.getChecksum().getValue();
            }
        }

        private static String nameFor(String osName, String osArch) {
            String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : osName.toLowerCase(Locale.ROOT);
            String arch = osArch.equals("aarch64") ? "arm_64" : osArch.equals("amd64") ? "x86_64" : osArch;
            String alpine = Files.exists(Path.of("/etc/alpine-release")) ? "-alpine_linux" : "";
            return "postgres-%s-%s%s.txz".formatted(os, arch, alpine);
        }
    }
}
