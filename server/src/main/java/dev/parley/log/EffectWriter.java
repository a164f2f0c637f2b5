package dev.parley.log;

import dev.parley.storage.SqlBatch;
import java.sql.SQLException;
import java.util.List;

/** Writes one feature's effects of a whole batch. */
public interface EffectWriter<E extends Effect> {
    Class<E> type();

    /**
     * Adds the statements for the effects to the batch. A writer that needs results takes the connection from the
     * batch; the batch first sends all earlier statements.
     */
    void write(SqlBatch batch, List<E> effects) throws SQLException;
}
