package dev.parley.threads;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Moves the read marks of a batch's authors, each once, never back. */
public final class ReadMarkWriter implements EffectWriter<ReadMark> {
    private static final String MOVE = """
            update read_marks m set last_read_seq = new.seq
            from unnest(?::uuid[], ?::text[], ?::bigint[]) as new (thread_id, actor, seq)
            where m.thread_id = new.thread_id and m.actor = new.actor and m.last_read_seq < new.seq""";

    @Override
    public Class<ReadMark> type() {
        return ReadMark.class;
    }

    @Override
    public void write(SqlBatch batch, List<ReadMark> marks) {
        // No deadlock is possible. The heads of these threads are locked, so no other lane writes these rows, and a
        // reader moves one mark at a time.
        Map<ThreadAccess.Membership, Long> furthest = new HashMap<>();
        for (ReadMark mark : marks) {
            furthest.merge(new ThreadAccess.Membership(mark.thread(), mark.actor()), mark.seq(), Math::max);
        }
        batch.add(
                MOVE,
                arrays -> arrays.uuids(
                                furthest.keySet(), member -> member.thread().value())
                        .texts(furthest.keySet(), member -> member.actor().value())
                        .longs(furthest.values(), seq -> seq));
    }
}
