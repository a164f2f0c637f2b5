package dev.parley.delivery;

import dev.parley.log.Event;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.storage.Database;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows on platforms that an agent has begun to answer. Best effort: at most once for each run, by the node on which
 * the run began, skipped under load, and never retried.
 */
public final class Typing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Typing.class);
    private static final int MAX_PARALLEL = 16;

    private final Database database;
    private final Map<String, ChatTransport> transports;
    private final Semaphore targets = new Semaphore(MAX_PARALLEL);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    public Typing(Database database, Collection<ChatTransport> transports) {
        this.database = database;
        this.transports = transports.stream().collect(Collectors.toMap(ChatTransport::source, each -> each));
    }

    /** Handles commits of this node; shows typing for the runs that begin with them. */
    public void committed(List<Event> events) {
        if (transports.isEmpty()) {
            return;
        }
        for (Event event : events) {
            if (event instanceof Event.Announced announced && begins(announced) && targets.tryAcquire()) {
                workers.execute(() -> show(announced.thread()));
            }
        }
    }

    private static boolean begins(Event.Announced announced) {
        return announced.type().equals(RunUpdate.TYPE)
                && RunUpdate.stateIn(announced).equals(RunState.Running.WIRE);
    }

    private void show(ThreadId thread) {
        try {
            for (ReplyTarget target : targets(thread)) {
                ChatTransport transport = transports.get(target.source());
                if (transport != null) {
                    transport.showTyping(target);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unseen) {
            LOG.debug("Typing: could not show typing in thread {}; skipping it: {}", thread, unseen.toString());
        } finally {
            targets.release();
        }
    }

    private List<ReplyTarget> targets(ThreadId thread) {
        return database.read(
                handle -> handle.createQuery("select * from destinations where thread_id = :thread limit 20")
                        .bind("thread", thread.value())
                        .map((row, context) -> ListedDelivery.target(row))
                        .list());
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
