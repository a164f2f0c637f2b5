package dev.parley.delivery;

import dev.parley.auth.Audit;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Dead and uncertain parts of replies, which an operator can list and send again. */
public final class DeadLetters {
    private final Database database;
    private final Audit audit;

    public DeadLetters(Database database, Audit audit) {
        this.database = database;
        this.audit = audit;
    }

    /** The parts queued before {@code before}, the newest first; all parts if {@code before} is null. */
    public List<ListedDelivery> listBefore(@Nullable UUID before, int limit) {
        return database.read(handle -> {
            long turn = before == null ? Long.MAX_VALUE : turnOf(handle, before);
            return handle.createQuery("select " + ListedDelivery.COLUMNS + """
                             from deliveries d join destinations t using (destination_id)
                            where d.state in ('dead', 'uncertain') and d.turn < :turn
                            order by d.turn desc limit :limit""")
                    .bind("turn", turn)
                    .bind("limit", limit)
                    .map((row, context) -> ListedDelivery.read(row))
                    .list();
        });
    }

    /** The position of a part in the list, even if the part has been sent again meanwhile. */
    private static long turnOf(Handle handle, UUID delivery) {
        return handle.createQuery("select turn from deliveries where delivery_id = :id")
                .bind("id", delivery)
                .mapTo(Long.class)
                .findOne()
                .orElseThrow(() -> new ProblemException(Problem.DELIVERY_NOT_FOUND, "There is no such delivery."));
    }

    /**
     * Queues a part again as if it were new, with the dead parts of its message, so that they arrive in order. Only a
     * person can decide to repeat an uncertain part, because the platform may have it.
     */
    public ListedDelivery replay(Actor operator, UUID id) {
        return database.transact(handle -> {
            int queued = handle.createUpdate("""
                            update deliveries d set state = 'waiting', problem = null, ended_at = null, begun_at = null,
                                tried_at = null, created_at = now()
                            from deliveries asked
                            where asked.delivery_id = :id and asked.state in ('dead', 'uncertain')
                                and (d.destination_id, d.thread_id, d.seq)
                                    = (asked.destination_id, asked.thread_id, asked.seq)
                                and (d.state = 'dead' or d.delivery_id = asked.delivery_id)""").bind("id", id).execute();
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
