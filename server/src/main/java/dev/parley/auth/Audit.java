package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The acts of operators. Rows are only appended. */
public final class Audit {
    private final Database database;
    private final Clock clock;

    public Audit(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    public record Act(long id, Instant at, Actor actor, String action, String subject) {}

    /** Records an act in the transaction that performs it, so that neither exists without the other. */
    public void record(Handle handle, Actor operator, String action, String subject) {
        handle.createUpdate("insert into audit (at, actor, action, subject) values (:at, :actor, :action, :subject)")
                .bind("at", clock.instant().atOffset(ZoneOffset.UTC))
                .bind("actor", operator.value())
                .bind("action", action)
                .bind("subject", subject)
                .execute();
    }

    /** The acts with ids below the given one, the newest first. */
    public List<Act> listBefore(long id, int limit) {
        return database.read(handle -> handle.createQuery("""
                        select audit_id, at, actor, action, subject from audit
                        where audit_id < :id order by audit_id desc limit :limit""")
                .bind("id", id)
                .bind("limit", limit)
                .map((row, context) -> new Act(
                        row.getLong("audit_id"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        new Actor(row.getString("actor")),
                        row.getString("action"),
                        row.getString("subject")))
                .list());
    }
}
