package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names people call themselves by, learnt from their tokens, for threads that others bring them into. */
public final class Names {
    private static final Logger LOG = LoggerFactory.getLogger(Names.class);

    private final Database database;
    private final Cache<Actor, String> told = Caffeine.newBuilder()
            .maximumSize(100_000)
            .expireAfterWrite(Duration.ofHours(1))
            .build();

    public Names(Database database) {
        this.database = database;
    }

    /** Notes a caller's name, beside the request; threads show it from now on. */
    public void note(Principal caller) {
        if (caller instanceof Principal.User user
                && !Objects.equals(told.getIfPresent(user.actor()), user.displayName())) {
            told.put(user.actor(), user.displayName());
            Thread.startVirtualThread(() -> write(user));
        }
    }

    private void write(Principal.User user) {
        try {
            database.transact(handle -> {
                int news = handle.createUpdate("""
                                insert into known_names (actor, display_name) values (:actor, :name)
                                on conflict (actor) do update set display_name = :name
                                where known_names.display_name <> :name""")
                        .bind("actor", user.actor().value())
                        .bind("name", user.displayName())
                        .execute();
                return news == 0
                        ? 0
                        : handle.createUpdate(
                                        "update participants set display_name = :name where actor = :actor and display_name <> :name")
                                .bind("actor", user.actor().value())
                                .bind("name", user.displayName())
                                .execute();
            });
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
