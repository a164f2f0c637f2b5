package dev.parley.log;

/**
 * The query for a thread's latest messages, in one place for all its users. Finds only messages of users, assistants
 * and tools; the index alone skips the revisions between them.
 */
public final class SpokenSql {
    private SpokenSql() {}

    /**
     * A select of the latest messages, latest first.
     *
     * @param columns columns of the entry {@code m}, each with a name
     * @param thread the thread's id in SQL
     * @param seqs a condition on {@code m.seq}
     * @param limit the number of messages, in SQL
     */
    public static String latest(String columns, String thread, String seqs, String limit) {
        return """
                select spoken.*
                from (
                    select m.seq from entries m
                    where m.thread_id = %2$s and %3$s and m.kind = 0
                    order by m.seq desc offset 0) as found
                cross join lateral (
                    select %1$s from entries m
                    where m.thread_id = %2$s and m.seq = found.seq and m.role in ('user', 'assistant', 'tool')
                    limit 1) as spoken
                order by found.seq desc limit %4$s""".formatted(columns, thread, seqs, limit);
    }
}
