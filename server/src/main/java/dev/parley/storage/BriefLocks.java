package dev.parley.storage;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Limits the time that a migration waits for a table, on the connection of the migration. */
record BriefLocks(Duration patience) implements Callback {
    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute("set lock_timeout = '" + patience.toMillis() + "ms'");
        } catch (SQLException failed) {
            throw new FlywayException("lock_timeout cannot be set", failed);
        }
    }

    @Override
    public String getCallbackName() {
        return "brief-locks";
    }
}
