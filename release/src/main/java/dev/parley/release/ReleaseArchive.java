package dev.parley.release;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** The files of a release by their path in the archive. The archive has sorted paths, and one time for all files. */
final class ReleaseArchive {
    private static final List<String> PAGES =
            List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "RATIONALE.md", "SECURITY.md");
    private static final String START_SCRIPT = "bin/parley";
    /** The files that the start script reads. They come from the sources, where {@code ./parley} reads them as well. */
    private static final List<String> START_SCRIPT_PARTS = List.of("scripts/common.sh", "scripts/java.sh");

    private final String version;
    private final SortedMap<String, byte[]> files = new TreeMap<>();

    private ReleaseArchive(String version) {
        this.version = version;
    }

    /**
     * Gathers the files.
     *
     * @param project the folder of the sources
     * @param made the build's output: {@code lib} and {@code sbom.json}
     */
    static ReleaseArchive gather(String version, Path project, Path made) throws IOException {
        ReleaseArchive archive = new ReleaseArchive(version);
        for (String page : PAGES) {
            archive.put(page, Files.readAllBytes(project.resolve(page)));
        }
        archive.put("sbom.json", Files.readAllBytes(made.resolve("sbom.json")));
        archive.put(START_SCRIPT, Files.readAllBytes(project.resolve("release/src/main/script/parley")));
        for (String part : START_SCRIPT_PARTS) {
            archive.put(part, Files.readAllBytes(project.resolve(part)));
        }
        archive.putAll(project, "docs");
        archive.putAll(project, "deploy");
        archive.putLibraries(made.resolve("lib"));
        return archive;
    }

    private void putAll(Path project, String folder) throws IOException {
        for (Path file : filesIn(project.resolve(folder))) {
            String path = project.relativize(file).toString().replace('\\', '/');
            if (!isHidden(path)) {
                put(path, Files.readAllBytes(file));
            }
        }
    }

    /**
     * True for a developer's local files beside the sources, such as {@code .env} with secrets, which must not be
     * published.
     */
    private static boolean isHidden(String path) {
        return ("/" + path).contains("/.");
    }

    private void putLibraries(Path lib) throws IOException {
        for (Path jar : filesIn(lib)) {
            String name = jar.getFileName().toString();
            put("lib/" + name, Files.readAllBytes(jar));
            for (Map.Entry<String, byte[]> notice : JarNotices.of(jar).entrySet()) {
                put("licences/" + name.replaceFirst("\\.jar$", "") + "/" + notice.getKey(), notice.getValue());
            }
        }
    }

    private void put(String path, byte[] content) {
        files.put("parley-" + version + "/" + path, content);
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** The paths of all files, in the order of the archive. */
    List<String> paths() {
        return List.copyOf(files.keySet());
    }

    /** Writes the archive and, in a second file, its SHA-256 in the form that {@code sha256sum -c} reads. */
    Path writeTo(Path folder, Instant time) throws IOException {
        Files.createDirectories(folder);
        Path target = folder.resolve("parley-" + version + ".tar.gz");
        MessageDigest digest = sha256();
        try (OutputStream file = Files.newOutputStream(target);
                OutputStream hashed = new DigestOutputStream(file, digest);
                GZIPOutputStream zipped = new GZIPOutputStream(hashed)) {
            TarFile tar = new TarFile(zipped, time);
            for (Map.Entry<String, byte[]> each : files.entrySet()) {
                tar.add(each.getKey(), each.getKey().endsWith("/" + START_SCRIPT), each.getValue());
            }
            tar.finish();
        }
        String line = HexFormat.of().formatHex(digest.digest()) + "  " + target.getFileName() + "\n";
        Files.writeString(folder.resolve(target.getFileName() + ".sha256"), line);
        return target;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
