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
 * Gets the files of a message that its platform keeps, all of them within one time limit. What cannot be had is told
 * beside the message, and never keeps it from being stored.
 */
final class RemoteFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteFiles.class);
    /** So many are on their way at once, since each may be as large as a file may be. */
    private static final int AT_ONCE = 4;

    private static final int AT_ONCE_IN_ALL = 16;

    private static final int MAX_NAME = 200;
    private static final int MAX_REASON = 300;

    /** Integrations share them: a platform that is slow with its files keeps only its own messages waiting. */
    private final FairShares<String> slots = new FairShares<>(AT_ONCE_IN_ALL);

    private final IngestFiles files;
    private final int most;
    private final Duration limit;

    RemoteFiles(IngestFiles files, int maxFiles, Duration timeout) {
        this.files = files;
        this.most = maxFiles;
        this.limit = timeout;
    }

    /** A file that is not here, and why. */
    record Failure(String name, String reason) {}

    /** What became of the files of one message. */
    record Fetched(List<MessageFiles.MessageFile> shown, List<Failure> failures) {
        static final Fetched NONE = new Fetched(List.of(), List.of());
    }

    /** Bytes, or why there are none. */
    private record Arrived(int index, byte @Nullable [] bytes, String reason) {}

    Fetched fetch(InboundOwner holder, List<RemoteFile> wanted) {
        if (wanted.isEmpty()) {
            return Fetched.NONE;
        }
        List<RemoteFile> taken = wanted.subList(0, Math.min(most, wanted.size()));
        TreeMap<Integer, MessageFiles.MessageFile> kept = new TreeMap<>();
        TreeMap<Integer, Failure> failures = new TreeMap<>();
        for (int index = taken.size(); index < Math.min(wanted.size(), 2 * most); index++) {
            failures.put(index, failure(wanted.get(index), "The message has more than " + most + " files."));
        }
        try {
            gather(holder, taken, kept, failures);
        } catch (RuntimeException failed) {
            // The platform delivers again, and everything is fetched anew.
            files.forget(new IngestFiles.StoredFiles(List.copyOf(kept.values())));
            throw failed;
        }
        return new Fetched(List.copyOf(kept.values()), List.copyOf(failures.values()));
    }

    /** Each is kept as it comes, so that its bytes do not wait for the slowest. */
    private void gather(
            InboundOwner holder,
            List<RemoteFile> wanted,
            TreeMap<Integer, MessageFiles.MessageFile> kept,
            TreeMap<Integer, Failure> failures) {
        BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
        ExecutorService fetching = Executors.newFixedThreadPool(
                AT_ONCE, Thread.ofVirtual().name("platform-file-", 0).factory());
        try {
            for (int i = 0; i < wanted.size(); i++) {
                int index = i;
                fetching.execute(() -> arrived.add(bytes(holder.source(), index, wanted.get(index))));
            }
            long end = System.nanoTime() + limit.toNanos();
            for (int i = 0; i < wanted.size(); i++) {
                Arrived next = arrived.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                keep(holder, next, wanted.get(next.index()), kept, failures);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        } finally {
            fetching.shutdownNow();
        }
        for (int index = 0; index < wanted.size(); index++) {
            if (!kept.containsKey(index) && !failures.containsKey(index)) {
                failures.put(index, failure(wanted.get(index), "It did not come in time."));
            }
        }
    }

    private Arrived bytes(String source, int index, RemoteFile file) {
        try {
            byte[] bytes = fetched(source, file);
            return bytes.length == 0 ? new Arrived(index, null, "The file is empty.") : new Arrived(index, bytes, "");
        } catch (RemoteFile.Failed failed) {
            return new Arrived(index, null, Objects.requireNonNullElse(failed.getMessage(), "It cannot be had."));
        } catch (InterruptedException late) {
            Thread.currentThread().interrupt();
            return new Arrived(index, null, "It did not come in time.");
        } catch (RuntimeException broken) {
            LOG.warn("A file of a platform cannot be fetched", broken);
            return new Arrived(index, null, "It cannot be fetched.");
        }
    }

    /** Only so many at once, of all messages together. */
    private byte[] fetched(String source, RemoteFile file) throws RemoteFile.Failed, InterruptedException {
        if (!slots.take(source, limit)) {
            throw new RemoteFile.Failed("Too many files are being fetched.");
        }
        try {
            return file.fetch().fetch();
        } finally {
            slots.giveBack(source);
        }
    }

    private void keep(
            InboundOwner holder,
            Arrived arrived,
            RemoteFile file,
            TreeMap<Integer, MessageFiles.MessageFile> kept,
            TreeMap<Integer, Failure> failures) {
        byte[] bytes = arrived.bytes();
        if (bytes == null) {
            failures.put(arrived.index(), failure(file, arrived.reason()));
            return;
        }
        try {
            kept.put(
                    arrived.index(),
                    files.keep(holder.owner(), null, new InboundMessage.File(bytes, file.mimeType(), file.name())));
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
                Text.startWithin(Text.isStorable(reason) ? reason : "It cannot be had.", MAX_REASON));
    }
}
