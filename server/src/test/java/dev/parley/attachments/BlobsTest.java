package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobsTest {
    private static final byte[] BYTES = "these bytes".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private TestDatabase testDatabase;
    private Database database;
    private Staging staging;
    private FolderBlobs store;
    private Blobs blobs;

    @BeforeEach
    void open() {
        testDatabase = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(testDatabase.address()), 4);
        staging = new Staging(folder.resolve("arriving"));
        store = new FolderBlobs(folder.resolve("blobs"));
        blobs = new Blobs(database, staging, store);
    }

    @AfterEach
    void close() {
        database.close();
        testDatabase.close();
    }

    private StagedBlob staged() throws IOException {
        return blobs.stage(new ByteArrayInputStream(BYTES), 100, IllegalStateException::new);
    }

    private BlobId keep(Blobs into) throws IOException {
        try (StagedBlob staged = staged()) {
            into.keep(staged);
            return staged.id();
        }
    }

    private void age(String interval) {
        database.transact(
                handle -> handle.execute("update blobs set idle_since = idle_since - interval '" + interval + "'"));
    }

    private long rows() {
        return database.read(handle -> handle.createQuery("select count(*) from blobs")
                .mapTo(Long.class)
                .one());
    }

    private StoredObject pointAt(BlobId blob) {
        StoredObject object = new StoredObject(
                UuidV7.next(),
                new ObjectKey(ObjectKey.BUCKET, "agent-inputs/u/" + UuidV7.next()),
                Actor.user(UuidV7.next()),
                blob,
                BYTES.length,
                "text/plain",
                null,
                null,
                null,
                null,
                null,
                false,
                Instant.EPOCH,
                Instant.EPOCH);
        database.transact(handle -> {
            ObjectStore.insert(handle, object, ObjectStore.Origin.STORAGE);
            return object;
        });
        return object;
    }

    @Test
    void unreferencedBlobIsRemovedAfterADay() throws IOException {
        BlobId blob = keep(blobs);
        age("23 hours 59 minutes");
        assertThat(blobs.sweep()).isZero();
        assertThat(store.has(blob)).isTrue();
        age("2 minutes");
        assertThat(blobs.sweep()).isOne();
        assertThat(store.has(blob)).isFalse();
        assertThat(rows()).isZero();
    }

    @Test
    void referencedBlobStays() throws IOException {
        BlobId blob = keep(blobs);
        StoredObject object = pointAt(blob);
        keep(blobs); // Another upload of the same bytes that never gets an object.
        age("30 days");
        assertThat(blobs.sweep()).isOne();
        assertThat(blobs.sweep()).isZero();
        try (InputStream bytes = blobs.open(object, 0, BYTES.length)) {
            assertThat(bytes.readAllBytes()).isEqualTo(BYTES);
        }
    }

    @Test
    void blobStaysForADayAfterItsLastObject() throws IOException {
        BlobId blob = keep(blobs);
        StoredObject object = pointAt(blob);
        database.transact(handle -> {
            ObjectStore.delete(handle, List.of(object));
            return object;
        });
        assertThat(blobs.sweep()).isZero();
        age("25 hours");
        assertThat(blobs.sweep()).isOne();
        assertThat(store.has(blob)).isFalse();
    }

    @Test
    void unremovableBlobDoesNotHoldUpOthers() throws IOException {
        BlobId stuck = keep(blobs);
        age("30 days");
        BlobId other;
        try (StagedBlob staged = blobs.stage(new ByteArrayInputStream(new byte[3]), 100, IllegalStateException::new)) {
            blobs.keep(staged);
            other = staged.id();
        }
        age("30 days");
        AtomicInteger tries = new AtomicInteger();
        Blobs failing = new Blobs(database, staging, new Watched(store, () -> {}, () -> {
            if (tries.getAndIncrement() == 0) {
                throw new StorageUnavailable("It is held.", null);
            }
        }));
        assertThat(failing.sweep()).isEqualTo(2);
        assertThat(store.has(stuck)).isTrue();
        assertThat(store.has(other)).isFalse();
        age("25 hours");
        assertThat(failing.sweep()).isOne();
        assertThat(store.has(stuck)).isFalse();
    }

    @Test
    void uploadOfTheSameBytesRenewsTheirRow() throws IOException {
        keep(blobs);
        age("30 days");
        keep(blobs);
        assertThat(blobs.sweep()).isZero();
        assertThat(rows()).isOne();
    }

    /** A store that does what a test wants around its own operations. */
    private record Watched(BlobStore inner, Runnable beforePut, Runnable beforeRemove) implements BlobStore {
        @Override
        public void put(BlobId id, StagedBlob staged) {
            beforePut.run();
            inner.put(id, staged);
        }

        @Override
        public InputStream open(BlobId id, long from, long length) {
            return inner.open(id, from, length);
        }

        @Override
        public boolean has(BlobId id) {
            return inner.has(id);
        }

        @Override
        public void remove(BlobId id) {
            beforeRemove.run();
            inner.remove(id);
        }

        @Override
        public void check() {
            inner.check();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @Test
    void uploadOfTheSameBytesWaitsForTheSweeperAndStoresThemAgain() throws Exception {
        keep(blobs);
        age("30 days");
        CountDownLatch removing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Blobs sweeping = new Blobs(database, staging, new Watched(store, () -> {}, () -> {
            removing.countDown();
            await().until(() -> goOn.getCount() == 0);
        }));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> swept = threads.submit(sweeping::sweep);
            assertThat(removing.await(20, TimeUnit.SECONDS)).isTrue();
            Future<BlobId> kept = threads.submit(() -> keep(blobs));
            await().until(() -> database.read(handle -> handle.createQuery(
                                    "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
                            .mapTo(Integer.class)
                            .one())
                    > 0);
            assertThat(kept.isDone()).isFalse();
            goOn.countDown();
            assertThat(swept.get(20, TimeUnit.SECONDS)).isOne();
            BlobId blob = kept.get(20, TimeUnit.SECONDS);
            assertThat(store.has(blob)).isTrue();
            assertThat(rows()).isOne();
        }
    }

    @Test
    void rowIsWrittenBeforeTheBytes() throws IOException {
        Blobs failing = new Blobs(
                database,
                staging,
                new Watched(
                        store,
                        () -> {
                            assertThat(rows()).isOne();
                            throw new StorageUnavailable("The disk is full.", null);
                        },
                        () -> {}));
        assertThatThrownBy(() -> keep(failing))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.problem()).isEqualTo(Problem.STORAGE_UNAVAILABLE));
        // A row without bytes does no harm: the store is asked, and the row is removed when it is due.
        BlobId blob = keep(blobs);
        assertThat(store.has(blob)).isTrue();
        assertThat(folder.resolve("arriving").toFile().list()).isEmpty();
    }

    @Test
    void lostBytesAreAServerProblemAndNoEmptyAnswer() throws IOException {
        BlobId blob = keep(blobs);
        StoredObject object = pointAt(blob);
        store.remove(blob);
        assertThatThrownBy(() -> blobs.open(object, 0, 1))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.problem()).isEqualTo(Problem.STORAGE_UNAVAILABLE));
    }
}
