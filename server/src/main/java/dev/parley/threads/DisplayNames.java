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
 * The names people call themselves by, learnt from their tokens. Threads look them up when they are shown, so a new name
 * is one row, and nobody can make the server write more than that once a minute.
 */
public final class DisplayNames {
    private static final Logger LOG = LoggerFactory.getLogger(DisplayNames.class);
    private static final Duration MIN_WRITE_INTERVAL = Duration.ofMinutes(1);

    private final Database database;
    private final Clock clock;
    private final Executor beside;
    private final Cache<Actor, Told> told = Caffeine.newBuilder()
            .maximumSize(100_000)
            // Another node may have noted another name meanwhile.
            .expireAfterWrite(Duration.ofMinutes(5))
            .build();

    public DisplayNames(Database database, Clock clock) {
        this(database, clock, Thread::startVirtualThread);
    }

    DisplayNames(Database database, Clock clock, Executor beside) {
        this.database = database;
        this.clock = clock;
        this.beside = beside;
    }

    /** What a caller's token said last, and when that was noted. */
    private record Told(String name, Instant at) {}

    /** Notes a caller's name, beside the request; threads show it from now on. */
    public void note(Principal caller) {
        if (!(caller instanceof Principal.User user) || !user.isNamed()) {
            return;
        }
        Told now = new Told(user.displayName(), clock.instant());
        Told kept = told.asMap()
                .compute(
                        user.actor(),
                        (actor, last) -> last == null
                                        || (!last.name.equals(now.name)
                                                && !now.at.isBefore(last.at.plus(MIN_WRITE_INTERVAL)))
                                ? now
                                : last);
        if (now.equals(kept)) {
            beside.execute(() -> write(user));
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
            told.invalidate(user.actor());
            LOG.debug("A name is noted later: {}", unavailable.toString());
        }
    }

    /** The name of a person; until they have called, their id stands for it. */
    public String nameOf(Actor person) {
        return database.read(handle -> handle.createQuery("select display_name from known_names where actor = :actor")
                        .bind("actor", person.value())
                        .mapTo(String.class)
                        .findOne())
                .orElse(person.value());
    }
}
