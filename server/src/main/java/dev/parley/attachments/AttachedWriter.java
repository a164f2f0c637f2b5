package dev.parley.attachments;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Records the threads in which a batch's objects are shown. No caller changes or removes the objects meanwhile, see
 * {@link AttachedRule}.
 */
public final class AttachedWriter implements EffectWriter<Attached> {
    private record Use(UUID object, UUID thread) {}

    @Override
    public Class<Attached> type() {
        return Attached.class;
    }

    @Override
    public void write(SqlBatch batch, List<Attached> effects) throws SQLException {
        Connection connection = batch.connection();
        List<Use> uses = effects.stream()
                .flatMap(effect -> effect.objects().stream()
                        .map(object -> new Use(object.id(), effect.thread().value())))
                .distinct()
                .toList();
        try (PreparedStatement statement = connection.prepareStatement("""
                with used as (
                  insert into object_uses (object_id, thread_id)
                  select * from unnest(?::uuid[], ?::uuid[]) on conflict do nothing),
                -- also objects that are attached already: a deleted thread may be releasing them right now
                shown as (
                  select object_id from objects where object_id = any (?::uuid[])
                  order by object_id for no key update)
                update objects o set attached = true from shown where o.object_id = shown.object_id""")) {
            new SqlArrays(connection, statement)
                    .uuids(uses, Use::object)
                    .uuids(uses, Use::thread)
                    .uuids(uses, Use::object);
            statement.executeUpdate();
        }
    }
}
