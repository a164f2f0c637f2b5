package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.util.Optional;
import java.util.UUID;

/**
 * The names of threads for clients that choose ids in another form. A name is any text, and stands for one thread of
 * its owner. A name stays taken after its thread is deleted, as the thread's id does.
 */
public final class ThreadAliases {
    private final Database database;

    public ThreadAliases(Database database) {
        this.database = database;
    }

    /** The thread of a name: the thread with that id, or else the thread that the owner's client gave the name. */
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

    /** Finds the thread of a name like {@link #find}. A new name gets an id, under which the thread can be created. */
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
