package dev.parley.archive;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The identity of a database, and the version of its schema.
 *
 * @param version the number of the last migration
 * @param database the database's name and the microsecond of its first migration, which no two databases share
 * @param now the time by the database's clock
 */
record Schema(int version, String database, String now) {
    static Schema read(Connection connection) throws SQLException {
        boolean migrated = Snapshots.number(
                        connection, "select count(*) from pg_class where oid = to_regclass('flyway_schema_history')")
                == 1;
        if (!migrated) {
            throw new ArchiveRefused("The database is not one of Parley's: it has no table flyway_schema_history.");
        }
        return new Schema(
                (int) Snapshots.number(
                        connection,
                        "select max(version::int) from flyway_schema_history where success and version ~ '^[0-9]+$'"),
                Snapshots.text(
                        connection, "select current_database() || ' ' || min(installed_on) from flyway_schema_history"),
                Snapshots.text(
                        connection, "select to_char(now() at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    }
}
