package dev.parley.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs a small project in place of the real one, and unpacks it with the machine's own tar. */
class ReleaseArchiveTest {
    private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");
    private static final String LONG = "docs/" + "a".repeat(60) + "/" + "b".repeat(80) + ".md";

    @TempDir
    private Path folder;

    private Path project;
    private Path made;

    @BeforeEach
    void lay() throws IOException {
        project = folder.resolve("project");
        made = folder.resolve("made");
        for (String page : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "RATIONALE.md", "SECURITY.md")) {
            write(project.resolve(page), page);
        }
        for (String script : List.of("release/src/main/script/parley", "scripts/common.sh", "scripts/java.sh")) {
            write(project.resolve(script), Files.readString(Path.of("..", script)));
        }
        write(project.resolve("docs/b.md"), "第二");
        write(project.resolve("docs/a.md"), "first");
        write(project.resolve(LONG), "long");
        write(project.resolve("deploy/docker/Dockerfile"), "FROM somewhere");
        write(made.resolve("sbom.json"), "{}");
        jar(
                "lib/some-1.0.jar",
                "META-INF/LICENSE",
                "META-INF/NOTICE.txt",
                "META-INF/licenses/x/LICENSE",
                "a/License.class");
        jar("lib/parley-console-1.jar", "web/console/licences-Abc.txt", "web/console/licences-Abc.txt.gz");
    }

    @Test
    void unpackedFilesEqualTheSources() throws Exception {
        Path unpacked = unpack(archive().writeTo(folder.resolve("to"), TIME)).resolve("parley-1.2");

        assertThat(unpacked.resolve("docs/b.md")).hasContent("第二");
        assertThat(unpacked.resolve(LONG)).hasContent("long");
        assertThat(unpacked.resolve("LICENSE")).hasContent("LICENSE");
        assertThat(unpacked.resolve("deploy/docker/Dockerfile")).exists();
        assertThat(unpacked.resolve("lib/some-1.0.jar")).hasSameBinaryContentAs(made.resolve("lib/some-1.0.jar"));
        assertThat(unpacked.resolve("bin/parley")).isExecutable();
        assertThat(run(unpacked, "bin/parley", "help")).isZero();
        assertThat(unpacked.resolve("README.md").toFile().canExecute()).isFalse();
        assertThat(Files.getLastModifiedTime(unpacked.resolve("NOTICE")).toInstant())
                .isEqualTo(TIME);
    }

    @Test
    void noticesInsideOfJarsCanBeReadWithoutUnpackingThem() throws IOException {
        assertThat(archive().paths())
                .contains(
                        "parley-1.2/licences/some-1.0/LICENSE",
                        "parley-1.2/licences/some-1.0/NOTICE.txt",
                        "parley-1.2/licences/some-1.0/x-LICENSE",
                        "parley-1.2/licences/parley-console-1/licences-Abc.txt")
                .noneMatch(path -> path.endsWith(".class") || path.endsWith(".gz"));
    }

    @Test
    void hiddenFilesAreNotPackedSinceTheyMayBeSecrets() throws IOException {
        write(project.resolve("deploy/docker/.env"), "PARLEY_JWT_SECRET=secret");
        write(project.resolve("docs/.notes/draft.md"), "not yet");

        assertThat(archive().paths())
                .contains("parley-1.2/deploy/docker/Dockerfile")
                .noneMatch(path -> path.contains("/."));
    }

    @Test
    void theSameFilesGiveTheSameBytes() throws IOException {
        Path first = archive().writeTo(folder.resolve("first"), TIME);
        write(project.resolve("docs/a.md"), "first");
        Path second = archive().writeTo(folder.resolve("second"), TIME);

        assertThat(second).hasSameBinaryContentAs(first);
        assertThat(archive().paths()).isSorted();

        write(project.resolve("docs/a.md"), "other");
        assertThat(Files.mismatch(first, archive().writeTo(folder.resolve("third"), TIME)))
                .isNotNegative();
    }

    @Test
    void hashIsBesideTheArchive() throws Exception {
        Path written = archive().writeTo(folder.resolve("to"), TIME);

        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(written));
        assertThat(written.resolveSibling(written.getFileName() + ".sha256"))
                .hasContent(HexFormat.of().formatHex(hash) + "  parley-1.2.tar.gz");
    }

    @Test
    void namesThatNotEveryTarKnowsAreRefused() {
        TarFile tar = new TarFile(new ByteArrayOutputStream(), TIME);

        assertThatThrownBy(() -> tar.add("docs/ä", false, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tar.add("x".repeat(101), false, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tar.add("y".repeat(160) + "/z", false, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private ReleaseArchive archive() throws IOException {
        return ReleaseArchive.gather("1.2", project, made);
    }

    private Path unpack(Path archive) throws IOException, InterruptedException {
        Path target = Files.createDirectories(folder.resolve("unpacked"));
        assertThat(run(target, "tar", "xzf", archive.toString())).isZero();
        return target;
    }

    private static int run(Path in, String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).directory(in.toFile()).inheritIO().start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private void jar(String path, String... entries) throws IOException {
        Path file = made.resolve(path);
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write(entry.getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
