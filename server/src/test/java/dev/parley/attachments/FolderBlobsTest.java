package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderBlobsTest extends BlobStoreContract {
    @TempDir
    private Path data;

    private Path folder;
    private FolderBlobs store;

    @BeforeEach
    void open() {
        folder = data.resolve("blobs");
        store = new FolderBlobs(folder);
    }

    @Override
    BlobStore store() {
        return store;
    }

    @Override
    void takeAway() throws IOException {
        // Like an unmounted disk: the folder exists, and is empty.
        Files.move(folder, data.resolve("elsewhere"));
        Files.createDirectory(folder);
    }

    @Override
    long storedBytes(BlobId id) throws IOException {
        Path file = file(id);
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : -1;
    }

    private Path file(BlobId id) {
        String hex = id.hex();
        return folder.resolve(hex.substring(0, 2)).resolve(hex.substring(2, 4)).resolve(hex);
    }

    @Test
    void filesAndFoldersAreReadableByTheServersUserAlone() throws Exception {
        BlobId id = put(random(10));
        Path first = folder.resolve(id.hex().substring(0, 2));

        assertThat(permissions(file(id))).isEqualTo("rw-------");
        assertThat(permissions(first.resolve(id.hex().substring(2, 4)))).isEqualTo("rwx------");
        assertThat(permissions(first)).isEqualTo("rwx------");
        assertThat(permissions(folder)).isEqualTo("rwx------");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void blobsOutliveTheStoreThatPutThem() throws Exception {
        BlobId id = put(random(10));

        assertThat(new FolderBlobs(folder).has(id)).isTrue();
    }

    @Test
    void fileOfAnotherLengthIsReplaced() throws Exception {
        byte[] bytes = random(5000);
        BlobId id = put(bytes);
        Cut.to(file(id), 4999);

        assertThatThrownBy(() -> store.open(id, 0, 5000)).isInstanceOf(MissingBlob.class);
        put(bytes);

        assertThat(file(id)).hasBinaryContent(bytes);
    }

    @Test
    void linkInsteadOfABlobIsNeitherReadNorWrittenThrough() throws Exception {
        byte[] bytes = random(20);
        BlobId id = BlobId.of(Sha256.of(bytes));
        Path outside = Files.write(data.resolve("outside"), random(21));
        Files.createDirectories(file(id).getParent());
        Files.createSymbolicLink(file(id), outside);

        assertThat(store.has(id)).isFalse();
        assertThatThrownBy(() -> store.open(id, 0, 20)).isInstanceOf(MissingBlob.class);
        put(bytes);

        assertThat(outside).hasBinaryContent(random(21));
        assertThat(Files.isSymbolicLink(file(id))).isFalse();
        assertThat(file(id)).hasBinaryContent(bytes);
    }

    @Test
    void linkInsteadOfAFolderIsNotFollowed() throws Exception {
        byte[] bytes = random(20);
        BlobId id = BlobId.of(Sha256.of(bytes));
        Path outside = Files.createDirectory(data.resolve("outside"));
        Files.createSymbolicLink(folder.resolve(id.hex().substring(0, 2)), outside);
        Path planted = outside.resolve(id.hex().substring(2, 4)).resolve(id.hex());
        Files.createDirectory(planted.getParent());
        Files.write(planted, bytes);

        assertThat(store.has(id)).isFalse();
        assertThatThrownBy(() -> store.open(id, 0, 20)).isInstanceOf(MissingBlob.class);
        store.remove(id);
        assertThat(planted).exists();
        try (StagedBlob staged = staged(bytes)) {
            unavailable(() -> store.put(id, staged));
        }
    }

    @Test
    void bytesFromAnotherFileSystemAreStored() throws Exception {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(
                Files.isDirectory(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(data)),
                "this system has no second file system");
        byte[] bytes = random(50_000);
        Path elsewhere = Files.createTempDirectory(memory, "parley");
        BlobId id = BlobId.of(Sha256.of(bytes));

        try (StagedBlob staged = new StagedBlob(id, bytes.length, Files.write(elsewhere.resolve("staged"), bytes))) {
            store.put(id, staged);
        } finally {
            Files.delete(elsewhere);
        }

        assertThat(file(id)).hasBinaryContent(bytes);
        assertThat(permissions(file(id))).isEqualTo("rw-------");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void startDeletesTheLeftoversOfACrash() throws Exception {
        BlobId id = put(random(10));
        Path incoming = folder.resolve(FolderBlobs.INCOMING);
        Path left = Files.write(incoming.resolve("left.part"), new byte[3]);
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        // Another node may share the folder.
        Path anothers = Files.write(incoming.resolve("anothers.part"), new byte[3]);

        new FolderBlobs(folder);

        assertThat(waiting()).containsExactly(anothers);
        assertThat(store.has(id)).isTrue();
    }

    @Test
    void checkLeavesNoFile() throws IOException {
        store.check();

        assertThat(waiting()).isEmpty();
    }

    @Test
    void readOnlyFolderIsUnavailable() throws Exception {
        Path incoming = folder.resolve(FolderBlobs.INCOMING);
        Files.setPosixFilePermissions(incoming, PosixFilePermissions.fromString("r-x------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
        try {
            Assumptions.assumeFalse(Files.isWritable(folder), "the superuser may write everywhere");
            try (StagedBlob staged = staged(random(10))) {
                unavailable(() -> store.put(staged.id(), staged));
            }
            unavailable(() -> store.check());
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void fileInsteadOfTheFolderIsUnavailable() throws IOException {
        Path file = Files.createFile(data.resolve("file"));

        unavailable(() -> new FolderBlobs(file));
    }

    private List<Path> waiting() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(FolderBlobs.INCOMING))) {
            return files.toList();
        }
    }
}
