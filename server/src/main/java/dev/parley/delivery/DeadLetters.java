package dev.parley.delivery;

import dev.parley.auth.Audit;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parts of replies that did not arrive, or of which nobody knows: for an operator to see, and to send again. */
public final class DeadLetters {
    private final Database database;
    private final Audit audit;

    public DeadLetters(Database database, Audit audit) {
        this.database = database;
        this.audit = audit;
    }

    /** Those that ended before one of them, the newest first; all if it is null. */
    public List<ListedDelivery> listBefore(@Nullable UUID before, int limit) {
        return database.read(handle -> handle.createQuery("select " + ListedDelivery.COLUMNS + """
                         from deliveries d join destinations t using (destination_id)
                        where d.state in ('dead', 'uncertain') and (cast(:before as uuid) is null
                            or (d.ended_at, d.delivery_id) < (
                                select b.ended_at, b.delivery_id from deliveries b where b.delivery_id = cast(:before as uuid)))
                        order by d.ended_at desc, d.delivery_id desc limit :limit""")
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> ListedDelivery.read(row))
                .list());
    }

    /**
     * Sends a part again, as if it had never been tried. Of one that is uncertain only a person can say that it should be
     * sent again: it may be there.
     */
    public ListedDelivery replay(Actor operator, UUID id) {
        return database.transact(handle -> {
            int queued = handle.createUpdate("""
                            update deliveries set state = 'waiting', problem = null, ended_at = null, begun_at = null, tried_at = null,
                                created_at = now()
                            where delivery_id = :id and state in ('dead', 'uncertain')""").bind("id", id).execute();
            if (queued == 0) {
                throw new ProblemException(
                        Problem.DELIVERY_NOT_FOUND, "There is no such delivery that could be sent again.");
            }
            audit.record(handle, operator, "delivery.replayed", id.toString());
            handle.createUpdate("""
                            update destinations set next_at = now() from deliveries d
                            where d.delivery_id = :id and destinations.destination_id = d.destination_id""").bind("id", id).execute();
            return handle.createQuery("select " + ListedDelivery.COLUMNS
                            + " from deliveries d join destinations t using (destination_id) where d.delivery_id = :id")
                    .bind("id", id)
                    .map((row, context) -> ListedDelivery.read(row))
                    .one();
        });
    }
}
