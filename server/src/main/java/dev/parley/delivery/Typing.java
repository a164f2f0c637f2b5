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
 * Shows on platforms that an agent has begun to answer. A courtesy: done at most once for each run, by the node on which
 * it began, left out when there is too much to do, and never tried again.
 */
public final class Typing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Typing.class);
    private static final int AT_ONCE = 16;

    private final Database database;
    private final Map<String, ChatTransport> transports;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    public Typing(Database database, Collection<ChatTransport> transports) {
        this.database = database;
        this.transports = transports.stream().collect(Collectors.toMap(ChatTransport::source, each -> each));
    }

    /** Told of commits: those by which a run began. */
    public void committed(List<Event> events) {
        if (transports.isEmpty()) {
            return;
        }
        for (Event event : events) {
            if (event instanceof Event.Announced announced && begins(announced) && places.tryAcquire()) {
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
            for (ReplyTarget target : places(thread)) {
                ChatTransport transport = transports.get(target.source());
                if (transport != null) {
                    transport.showTyping(target);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unseen) {
            LOG.debug("Nobody sees that somebody is about to answer: {}", unseen.toString());
        } finally {
            places.release();
        }
    }

    private List<ReplyTarget> places(ThreadId thread) {
        return database.read(
                handle -> handle.createQuery("select * from destinations where thread_id = :thread limit 20")
                        .bind("thread", thread.value())
                        .map((row, context) -> ListedDelivery.place(row))
                        .list());
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
