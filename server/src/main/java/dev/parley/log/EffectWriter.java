package dev.parley.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes one feature's effects of a whole batch. */
public interface EffectWriter<E extends Effect> {
    Class<E> type();

    void write(Connection connection, List<E> effects) throws SQLException;
}
