package dev.parley.runs.lifecycle;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlBatch;
import dev.parley.threads.ThreadEffect;
import java.util.List;

/**
 * Deletes the unfinished runs of a deleted thread. The runs would otherwise continue to write to a log that is being
 * purged.
 */
public final class DeletedThreadRunsWriter implements EffectWriter<ThreadEffect.Deleted> {
    @Override
    public Class<ThreadEffect.Deleted> type() {
        return ThreadEffect.Deleted.class;
    }

    @Override
    public void write(SqlBatch batch, List<ThreadEffect.Deleted> deleted) {
        batch.add(
                "delete from runs where thread_id = any (?) and state in ('queued', 'running', 'waiting')",
                arrays -> arrays.uuids(deleted, each -> each.thread().value()));
    }
}
