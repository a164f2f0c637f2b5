package dev.parley.platforms;

import dev.parley.storage.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The read positions in the histories of platforms that do not repeat missed requests. */
public final class Backfills {
    private final Database database;

    public Backfills(Database database) {
        this.database = database;
    }

    /** The time up to which the history was read. If no time is stored, {@code first} is stored and returned. */
    public Instant begin(String source, String account, Instant first) {
        return database.transact(handle -> {
            handle.createUpdate("""
                            insert into backfills (source, account, read_until) values (:source, :account, :first)
                            on conflict do nothing""")
                    .bind("source", source)
                    .bind("account", account)
                    .bind("first", first.atOffset(ZoneOffset.UTC))
                    .execute();
            return handle.createQuery("select read_until from backfills where source = :source and account = :account")
                    .bind("source", source)
                    .bind("account", account)
                    .mapTo(OffsetDateTime.class)
                    .one()
                    .toInstant();
        });
    }

    /**
     * Notes that the history up to {@code until} is stored. The stored time never goes back, because another node may
     * have read further.
     */
    public void advance(String source, String account, Instant until) {
        database.transact(handle -> handle.createUpdate("""
                        update backfills set read_until = greatest(read_until, :until)
                        where source = :source and account = :account""")
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .bind("source", source)
                .bind("account", account)
                .execute());
    }
}
