package dev.parley.threads;

/** The count of unread messages in lists and in the inbox: the messages by other authors after the reader's mark. */
final class UnreadCount {
    /** The highest count. Higher counts are shown as this one. */
    private static final int CAP = 100;
    /**
     * The number of entries after which the search ends. Revisions and own messages do not count, but reading past them
     * takes time.
     */
    private static final int SCAN = 10_000;

    private UnreadCount() {}

    /**
     * An expression for the count.
     *
     * @param reader the alias of a row with {@code thread_id} and {@code actor}
     * @param mark the alias of the reader's row of {@code read_marks}
     */
    static String sql(String reader, String mark) {
        return """
                (select count(*) from (
                    select 1 from (
                        select e.author, e.kind from entries e
                        where e.thread_id = %1$s.thread_id and e.seq > %2$s.last_read_seq
                        order by e.seq limit %4$d) as after
                    where after.kind = 0 and after.author <> %1$s.actor
                    limit %3$d) as others)""".formatted(reader, mark, CAP, SCAN);
    }
}
