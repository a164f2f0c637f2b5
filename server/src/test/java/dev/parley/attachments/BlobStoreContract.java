package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of every store, whatever holds its bytes. */
abstract class BlobStoreContract {
    private static final int MEGABYTES_10 = 10 * 1024 * 1024;

    @TempDir
    private Path scratch;

    private Staging staging;

    /** The store under test, which only the test uses. */
    abstract BlobStore store();

    /** Takes the store away from under its user. */
    abstract void takeAway() throws Exception;

    /** The length of a blob, read past the store's API; -1 if there is none. */
    abstract long storedBytes(BlobId id) throws Exception;

    @BeforeEach
    void openStaging() {
        staging = new Staging(scratch.resolve("staging"));
    }

    StagedBlob staged(byte[] bytes) throws IOException {
        return staging.stage(new ByteArrayInputStream(bytes), bytes.length, IllegalStateException::new);
    }

    BlobId put(byte[] bytes) throws IOException {
        try (StagedBlob staged = staged(bytes)) {
            store().put(staged.id(), staged);
            return staged.id();
        }
    }

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private byte[] read(BlobId id, long from, long length) throws IOException {
        try (InputStream in = store().open(id, from, length)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, MEGABYTES_10})
    void putBytesAreReadBackUnchanged(int length) throws Exception {
        byte[] bytes = random(length);

        BlobId id = put(bytes);

        assertThat(store().has(id)).isTrue();
        assertThat(storedBytes(id)).isEqualTo(length);
        assertThat(read(id, 0, length)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "0,1000", "999,1", "300,400", "0,0", "500,0", "1000,0"})
    void rangeHasExactlyItsBytes(int from, int length) throws Exception {
        byte[] bytes = random(1000);

        BlobId id = put(bytes);

        assertThat(read(id, from, length)).isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    }

    @ParameterizedTest
    @CsvSource({"0,1001", "999,2", "1000,1", "1001,0", "5000,10", "1,9223372036854775807"})
    void rangeBeyondTheEndIsMissing(long from, long length) throws Exception {
        BlobId id = put(random(1000));

        assertThatThrownBy(() -> store().open(id, from, length)).isInstanceOf(MissingBlob.class);
    }

    @ParameterizedTest
    @CsvSource({"-1,1", "0,-1"})
    void impossibleRangeIsRefused(long from, long length) throws Exception {
        BlobId id = put(random(1000));

        assertThatThrownBy(() -> store().open(id, from, length)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void singleByteReadsGiveTheSameBytes() throws Exception {
        BlobId id = put(new byte[] {0, -1, 127});

        try (InputStream in = store().open(id, 0, 3)) {
            assertThat(List.of(in.read(), in.read(), in.read(), in.read())).containsExactly(0, 255, 127, -1);
        }
    }

    @Test
    void sameBytesPutTwiceAreOneBlob() throws Exception {
        byte[] bytes = random(2000);

        BlobId first = put(bytes);
        BlobId second = put(bytes);

        assertThat(second).isEqualTo(first);
        assertThat(read(first, 0, 2000)).isEqualTo(bytes);
    }

    @Test
    void concurrentPutsOfTheSameBytesSucceed() throws Exception {
        byte[] bytes = random(300_000);
        CyclicBarrier start = new CyclicBarrier(8);
        List<Future<BlobId>> puts = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                puts.add(threads.submit(() -> {
                    start.await(20, TimeUnit.SECONDS);
                    return put(bytes);
                }));
            }
        }

        assertThat(puts).extracting(Future::resultNow).containsOnly(BlobId.of(Sha256.of(bytes)));
        assertThat(read(puts.getFirst().resultNow(), 0, 300_000)).isEqualTo(bytes);
    }

    @Test
    void bytesUnderAnotherNameAreRefused() throws Exception {
        BlobId other = BlobId.of(Sha256.of(random(5)));

        try (StagedBlob staged = staged(random(6))) {
            assertThatThrownBy(() -> store().put(other, staged)).isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(store().has(other)).isFalse();
    }

    @Test
    void truncatedStagedFileIsRefused() throws Exception {
        try (StagedBlob staged = staged(random(6000))) {
            Cut.to(staged.file(), 5999);

            assertThatThrownBy(() -> store().put(staged.id(), staged)).isInstanceOf(StorageUnavailable.class);

            assertThat(store().has(staged.id())).isFalse();
            assertThat(storedBytes(staged.id())).isEqualTo(-1);
        }
    }

    @Test
    void removedBlobIsMissingAndCanBePutAgain() throws Exception {
        byte[] bytes = random(100);
        BlobId id = put(bytes);

        store().remove(id);
        store().remove(id);

        assertThat(store().has(id)).isFalse();
        assertThatThrownBy(() -> store().open(id, 0, 100)).isInstanceOf(MissingBlob.class);
        assertThatThrownBy(() -> store().open(id, 0, 0)).isInstanceOf(MissingBlob.class);
        assertThat(put(bytes)).isEqualTo(id);
        assertThat(read(id, 0, 100)).isEqualTo(bytes);
    }

    @Test
    void readerMayCloseEarly() throws Exception {
        byte[] bytes = random(MEGABYTES_10);
        BlobId id = put(bytes);

        for (int i = 0; i < 20; i++) {
            try (InputStream in = store().open(id, 0, MEGABYTES_10)) {
                assertThat(in.readNBytes(1000)).isEqualTo(Arrays.copyOf(bytes, 1000));
            }
        }

        assertThat(read(id, 0, 1000)).isEqualTo(Arrays.copyOf(bytes, 1000));
    }

    @Test
    void workingStorePassesItsCheck() {
        store().check();
    }

    @Test
    void lostStoreIsUnavailableAndNotEmpty() throws Exception {
        BlobId id = put(random(10));
        try (StagedBlob staged = staged(random(11))) {
            takeAway();

            unavailable(() -> store().put(staged.id(), staged));
        }
        unavailable(() -> store().open(id, 0, 10));
        unavailable(() -> store().has(id));
        unavailable(() -> store().remove(id));
        unavailable(() -> store().check());
    }

    static void unavailable(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(StorageUnavailable.class, gone -> {
            assertThat(gone.getMessage()).endsWith(".").contains("cannot be");
            assertThat(gone.problem().problem().status()).isEqualTo(503);
            assertThat(gone.problem().problem().retryable()).isTrue();
            assertThat(gone.problem().detail()).doesNotContain("/", "bucket");
        });
    }
}
