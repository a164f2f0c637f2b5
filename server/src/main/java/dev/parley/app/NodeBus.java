package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.delivery.Deliverer;
import dev.parley.log.Event;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.storage.Database;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.Watches;
import dev.parley.wakeups.Bus;
import dev.parley.wakeups.Hint;
import dev.parley.wakeups.LocalWakeups;
import dev.parley.wakeups.News;
import dev.parley.wakeups.PostgresWakeups;
import dev.parley.wakeups.RedisSettings;
import dev.parley.wakeups.RedisWakeups;
import dev.parley.wakeups.Wakeups;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Connects this node to the others: publishes hints about commits on this node and follows the hints of other nodes. A
 * hint is only a reason to look at the database. Without hints every node looks about once a second.
 */
final class NodeBus implements AutoCloseable {
    private final Bus bus;
    private volatile @Nullable Receivers receivers;

    /** The receivers of hints from other nodes. */
    record Receivers(Watches watches, Inbox inbox, Runs runs, Deliverer deliverer) {}

    /** The kinds of work for which this node has room now. */
    private record Room(boolean forRuns, boolean forDeliveries) {}

    private NodeBus(Bus bus) {
        this.bus = bus;
        bus.listen(this::received);
    }

    static NodeBus open(Config config, Database database, MeterRegistry metrics) {
        return new NodeBus(Bus.start(wakeups(config, database), metrics));
    }

    private static Wakeups wakeups(Config config, Database database) {
        return switch (config.stores().wakeups()) {
            case Config.Wakeups.Local() -> new LocalWakeups(sharedName(config));
            case Config.Wakeups.Postgres() -> new PostgresWakeups(database);
            case Config.Wakeups.Redis redis ->
                new RedisWakeups(new RedisSettings(redis.url().reveal(), redis.prefix(), redis.authority()));
        };
    }

    /** The name that all nodes of one database share. */
    private static String sharedName(Config config) {
        return switch (config.stores().database()) {
            case Config.Database.Embedded() -> config.data().toAbsolutePath().toString();
            case Config.Database.External external -> external.jdbcUrl();
        };
    }

    /** Starts to send and to follow hints. */
    void join(Receivers next) {
        receivers = next;
    }

    boolean isLate() {
        return bus.isLate();
    }

    /** The time that a hint to another node takes, measured about once a second. */
    Optional<Duration> lag() {
        return bus.lag();
    }

    /**
     * Sends hints about a commit of this node. Runs on the lane's thread, so it only hands the hints over to the bus.
     */
    void committed(List<Event> events) {
        Receivers current = receivers;
        if (current == null || bus.peers() == 0) {
            return;
        }
        // Read once per commit, because the answer is about the same for all events of the commit.
        Room room = new Room(current.runs().hasRoom(), current.deliverer().hasRoom());
        Map<ThreadId, Hint> hints = new HashMap<>();
        for (Event event : events) {
            hints.merge(event.thread(), hint(room, event), Hint::and);
        }
        bus.send(hints.values());
    }

    /**
     * Work that this node can do itself is not offered to other nodes, because all of them would try and only one would
     * succeed.
     */
    private static Hint hint(Room room, Event event) {
        if (event instanceof Event.Emitted) {
            return Hint.of(event.thread(), event.position());
        }
        Hint news = Hint.of(event.thread(), event.position(), News.SAID);
        if (event instanceof Event.Announced announced && announced.type().equals(RunUpdate.TYPE)) {
            news = news.with(News.RUNS);
            if (!room.forRuns()) {
                news = news.with(News.WAITING_RUN);
            }
        }
        return room.forDeliveries() ? news : news.with(News.WAITING_DELIVERY);
    }

    private void received(List<Hint> hints) {
        Receivers current = receivers;
        if (current == null) {
            return;
        }
        for (Hint hint : hints) {
            current.watches().hintedElsewhere(hint.thread(), hint.position());
            if (hint.tells(News.SAID)) {
                current.inbox().changedElsewhere(hint.thread());
            }
            if (hint.tells(News.RUNS)) {
                current.runs().changedElsewhere(hint.thread());
            }
        }
        if (hints.stream().anyMatch(hint -> hint.tells(News.WAITING_RUN))) {
            current.runs().waitingElsewhere();
        }
        Set<ThreadId> threads = hints.stream()
                .filter(hint -> hint.tells(News.WAITING_DELIVERY))
                .map(Hint::thread)
                .collect(Collectors.toSet());
        if (!threads.isEmpty()) {
            current.deliverer().due(threads);
        }
    }

    @Override
    public void close() {
        bus.close();
    }
}
