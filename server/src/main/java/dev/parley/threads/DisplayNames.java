package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The display names of people, learnt from their tokens. Names are looked up when a thread is shown, so a new name
 * changes only one row. A person can cause one write per minute at most.
 */
public final class DisplayNames {
    private static final Logger LOG = LoggerFactory.getLogger(DisplayNames.class);
    private static final Duration MIN_WRITE_INTERVAL = Duration.ofMinutes(1);

    private final Database database;
    private final Clock clock;
    private final Executor executor;
    private final Cache<Actor, NotedName> noted = Caffeine.newBuilder()
            .maximumSize(100_000)
            // Another node may have stored another name meanwhile.
            .expireAfterWrite(Duration.ofMinutes(5))
            .build();

    public DisplayNames(Database database, Clock clock) {
        this(database, clock, Thread::startVirtualThread);
    }

    DisplayNames(Database database, Clock clock, Executor executor) {
        this.database = database;
        this.clock = clock;
        this.executor = executor;
    }

    /** The latest name in a caller's token, and the time at which the name was noted. */
    private record NotedName(String name, Instant at) {}

    /** Stores a caller's name, outside of the request. Threads show the name from now on. */
    public void note(Principal caller) {
        if (!(caller instanceof Principal.User user) || !user.isNamed()) {
            return;
        }
        NotedName now = new NotedName(user.displayName(), clock.instant());
        NotedName latest = noted.asMap()
                .compute(
                        user.actor(),
                        (actor, last) -> last == null
                                        || (!last.name.equals(now.name)
                                                && !now.at.isBefore(last.at.plus(MIN_WRITE_INTERVAL)))
                                ? now
                                : last);
        if (now.equals(latest)) {
            executor.execute(() -> write(user));
        }
    }

    private void write(Principal.User user) {
        try {
            database.transact(handle -> handle.createUpdate("""
                insert into known_names (actor, display_name) values (:actor, :name)
                on conflict (actor) do update set display_name = :name
                where known_names.display_name <> :name\
                """)
                    .bind("actor", user.actor().value())
                    .bind("name", user.displayName())
                    .execute());
        } catch (RuntimeException unavailable) {
            noted.invalidate(user.actor());
            LOG.debug("Could not store a display name; retrying on the next request: {}", unavailable.toString());
        }
    }

    /** The name of a person, or the person's id before the first call with a name. */
    public String nameOf(Actor person) {
        return database.read(handle -> handle.createQuery("select display_name from known_names where actor = :actor")
                        .bind("actor", person.value())
                        .mapTo(String.class)
                        .findOne())
                .orElse(person.value());
    }
}
