package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.Optional;
import java.util.UUID;

/**
 * What clients call threads whose ids are not ours: any text, which means one thread for each owner. A name stays taken
 * when its thread is deleted, as the thread's id does.
 */
public final class ThreadAliases {
    private final Database database;

    public ThreadAliases(Database database) {
        this.database = database;
    }

    /** The thread that an owner's client calls so: the one with that id, or the one that got the name. */
    public Optional<ThreadId> find(Actor owner, String name) {
        return ThreadId.parse(name)
                .or(() -> database.read(handle -> handle.createQuery(
                                "select thread_id from thread_aliases where owner = :owner and alias = :alias")
                        .bind("owner", owner.value())
                        .bind("alias", name)
                        .mapTo(UUID.class)
                        .findOne()
                        .map(ThreadId::new)));
    }

    /** As {@link #find}; a name that is new gets an id, under which the thread can be made. */
    public ThreadId claim(Actor owner, String name) {
        return find(owner, name)
                .orElseGet(() -> database.transact(handle -> {
                    handle.createUpdate("""
                                    insert into thread_aliases (owner, alias, thread_id) values (:owner, :alias, :id)
                                    on conflict do nothing""")
                            .bind("owner", owner.value())
                            .bind("alias", name)
                            .bind("id", UuidV7.next())
                            .execute();
                    return new ThreadId(handle.createQuery(
                                    "select thread_id from thread_aliases where owner = :owner and alias = :alias")
                            .bind("owner", owner.value())
                            .bind("alias", name)
                            .mapTo(UUID.class)
                            .one());
                }));
    }
}
