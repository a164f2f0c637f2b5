package dev.parley.ingest;

import dev.parley.attachments.MessageFiles;
import dev.parley.basics.Text;
import dev.parley.limits.FairShares;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads the files of a message from its platform, all within one time limit. A failed download is listed with the
 * message, and never prevents its append.
 */
final class RemoteFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteFiles.class);
    /**
     * Number of parallel downloads of one message. It is small, because each file may have the largest allowed size.
     */
    private static final int PARALLEL = 4;

    private static final int PARALLEL_IN_ALL = 16;

    private static final int MAX_NAME = 200;
    private static final int MAX_REASON = 300;

    /** The shares that integrations have in all downloads, so that a slow platform delays its own messages only. */
    private final FairShares<String> slots = new FairShares<>(PARALLEL_IN_ALL);

    private final IngestFiles files;
    private final int maxFiles;
    private final Duration limit;

    RemoteFiles(IngestFiles files, int maxFiles, Duration timeout) {
        this.files = files;
        this.maxFiles = maxFiles;
        this.limit = timeout;
    }

    /** A file that was not stored, and the reason. */
    record Failure(String name, String reason) {}

    /** The outcome for the files of one message. */
    record Fetched(List<MessageFiles.MessageFile> files, List<Failure> failures) {
        static final Fetched NONE = new Fetched(List.of(), List.of());
    }

    /** The bytes of a file, or the reason for their absence. */
    private record Arrived(int index, byte @Nullable [] bytes, String reason) {}

    Fetched fetch(InboundOwner holder, List<RemoteFile> requested) {
        if (requested.isEmpty()) {
            return Fetched.NONE;
        }
        List<RemoteFile> accepted = requested.subList(0, Math.min(maxFiles, requested.size()));
        TreeMap<Integer, MessageFiles.MessageFile> stored = new TreeMap<>();
        TreeMap<Integer, Failure> failures = new TreeMap<>();
        for (int index = accepted.size(); index < Math.min(requested.size(), 2 * maxFiles); index++) {
            failures.put(index, failure(requested.get(index), "The message has more than " + maxFiles + " files."));
        }
        try {
            gather(holder, accepted, stored, failures);
        } catch (RuntimeException failed) {
            // The platform repeats the request, and all files are downloaded again.
            files.forget(new IngestFiles.StoredFiles(List.copyOf(stored.values())));
            throw failed;
        }
        return new Fetched(List.copyOf(stored.values()), List.copyOf(failures.values()));
    }

    /** Stores each file as it arrives, so that memory does not keep its bytes until the slowest file has arrived. */
    private void gather(
            InboundOwner holder,
            List<RemoteFile> requested,
            TreeMap<Integer, MessageFiles.MessageFile> stored,
            TreeMap<Integer, Failure> failures) {
        BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
        ExecutorService fetching = Executors.newFixedThreadPool(
                PARALLEL, Thread.ofVirtual().name("platform-file-", 0).factory());
        try {
            for (int i = 0; i < requested.size(); i++) {
                int index = i;
                fetching.execute(() -> arrived.add(download(holder.source(), index, requested.get(index))));
            }
            long end = System.nanoTime() + limit.toNanos();
            for (int i = 0; i < requested.size(); i++) {
                Arrived next = arrived.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                store(holder, next, requested.get(next.index()), stored, failures);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        } finally {
            fetching.shutdownNow();
        }
        for (int index = 0; index < requested.size(); index++) {
            if (!stored.containsKey(index) && !failures.containsKey(index)) {
                failures.put(index, failure(requested.get(index), "The file did not arrive in time."));
            }
        }
    }

    private Arrived download(String source, int index, RemoteFile file) {
        try {
            byte[] bytes = downloadWithSlot(source, file);
            return bytes.length == 0 ? new Arrived(index, null, "The file is empty.") : new Arrived(index, bytes, "");
        } catch (RemoteFile.Failed failed) {
            return new Arrived(
                    index, null, Objects.requireNonNullElse(failed.getMessage(), "The file could not be downloaded."));
        } catch (InterruptedException late) {
            Thread.currentThread().interrupt();
            return new Arrived(index, null, "The file did not arrive in time.");
        } catch (RuntimeException broken) {
            LOG.warn("Could not download a file of {}; storing its message without the file", source, broken);
            return new Arrived(index, null, "The file could not be downloaded.");
        }
    }

    /** Downloads a file within the source's share of all downloads. */
    private byte[] downloadWithSlot(String source, RemoteFile file) throws RemoteFile.Failed, InterruptedException {
        if (!slots.take(source, limit)) {
            throw new RemoteFile.Failed("Too many files are being downloaded.");
        }
        try {
            return file.fetch().fetch();
        } finally {
            slots.giveBack(source);
        }
    }

    private void store(
            InboundOwner holder,
            Arrived arrived,
            RemoteFile file,
            TreeMap<Integer, MessageFiles.MessageFile> stored,
            TreeMap<Integer, Failure> failures) {
        byte[] bytes = arrived.bytes();
        if (bytes == null) {
            failures.put(arrived.index(), failure(file, arrived.reason()));
            return;
        }
        try {
            stored.put(
                    arrived.index(),
                    files.store(holder.owner(), null, new InboundMessage.File(bytes, file.mimeType(), file.name())));
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            failures.put(arrived.index(), failure(file, refused.detail()));
        }
    }

    private static Failure failure(RemoteFile file, String reason) {
        String name = file.name();
        return new Failure(
                name == null || !Text.isStorable(name) ? "" : Text.startWithin(name, MAX_NAME),
                Text.startWithin(Text.isStorable(reason) ? reason : "The file could not be downloaded.", MAX_REASON));
    }
}
