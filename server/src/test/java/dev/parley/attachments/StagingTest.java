package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingTest {
    @TempDir
    private Path scratch;

    private Path folder;
    private Staging staging;

    @BeforeEach
    void open() {
        folder = scratch.resolve("data").resolve("staging");
        staging = new Staging(folder);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1_000_000})
    void bytesAreCountedNamedAndTheirHeadIsKept(int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);

        try (StagedBlob staged = staging.stage(drops(bytes), length, IllegalStateException::new)) {
            assertThat(staged.id()).isEqualTo(BlobId.of(Sha256.of(bytes)));
            assertThat(staged.bytes()).isEqualTo(length);
            assertThat(Files.readAllBytes(staged.file())).isEqualTo(bytes);
        }
        assertThat(left()).isEmpty();
    }

    /** Arrives in uneven pieces, as from a network. */
    private static InputStream drops(byte[] bytes) {
        int cut = bytes.length / 3;
        return new SequenceInputStream(
                new ByteArrayInputStream(bytes, 0, cut), new ByteArrayInputStream(bytes, cut, bytes.length - cut));
    }

    @Test
    void excessThrowsTheCallersExceptionAndLeavesNoFile() throws IOException {
        staging.stage(new ByteArrayInputStream(new byte[100]), 100, IllegalStateException::new)
                .close();

        assertThatThrownBy(() -> staging.stage(
                        new ByteArrayInputStream(new byte[101]), 100, () -> new IllegalStateException("too large")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("too large");
        assertThat(left()).isEmpty();
    }

    @Test
    void failingSourceKeepsItsExceptionAndLeavesNoFile() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the caller is gone");
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return read();
            }
        };

        assertThatThrownBy(() -> staging.stage(
                        new SequenceInputStream(new ByteArrayInputStream(new byte[70_000]), broken),
                        1_000_000,
                        IllegalStateException::new))
                .isInstanceOf(IOException.class)
                .hasMessage("the caller is gone");
        assertThat(left()).isEmpty();
    }

    @Test
    void startDeletesTheLeftoversOfACrash() throws IOException {
        Path crashed = Files.write(folder.resolve("left.part"), new byte[10]);
        Files.setLastModifiedTime(crashed, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path outside = Files.writeString(scratch.resolve("outside"), "mine");
        Files.createSymbolicLink(folder.resolve("link.part"), outside);

        Staging again = new Staging(folder);

        assertThat(left()).isEmpty();
        assertThat(outside).hasContent("mine");
        again.stage(InputStream.nullInputStream(), 0, IllegalStateException::new)
                .close();
    }

    @Test
    void folderIsReadableByTheServersUserAlone() throws IOException {
        try (StagedBlob staged = staging.stage(InputStream.nullInputStream(), 0, IllegalStateException::new)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(staged.file())))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void missingFolderIsUnavailable() throws IOException {
        Files.delete(folder);

        BlobStoreContract.unavailable(() -> stageNothing(staging));
    }

    @Test
    void fileInsteadOfTheFolderIsUnavailable() throws IOException {
        Path file = Files.createFile(scratch.resolve("file"));

        BlobStoreContract.unavailable(() -> new Staging(file));
    }

    /** A device without any room stands in for a full disk. */
    @Test
    void fullDiskIsUnavailable() {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "this system has no device that is always full");

        assertThatThrownBy(() ->
                        Staging.copy(new ByteArrayInputStream(new byte[10]), full, 10, IllegalStateException::new))
                .isInstanceOf(StorageUnavailable.class);
    }

    private static void stageNothing(Staging staging) {
        try {
            staging.stage(InputStream.nullInputStream(), 0, IllegalStateException::new)
                    .close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
