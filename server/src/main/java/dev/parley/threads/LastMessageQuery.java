package dev.parley.threads;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The SQL that reads a thread's last message from the log, with its revisions applied. */
final class LastMessageQuery {
    private static final int PREVIEW = 140;

    private LastMessageQuery() {}

    /**
     * A join that yields the row {@code last}. Its columns are null if the thread has no message or the condition does
     * not hold.
     *
     * @param head the alias of a row with {@code thread_id}
     * @param condition a condition that selects the threads to look up; other threads cost nothing
     */
    static String join(String head, String condition) {
        return """
                left join lateral (
                    select e.seq as message_seq, e.created_at as message_at,
                        coalesce(revised.content, left(e.content, 1000)) as message_content,
                        -- only a legacy prefix changes a preview, and metadata may be long
                        case when e.metadata::text like '%%"legacy_prefix"%%' then e.metadata::text end as message_metadata
                    from (
                        select * from entries
                        where %2$s and entries.thread_id = %1$s.thread_id and entries.kind = 0
                        order by entries.seq desc limit 1) as e
                    left join lateral (
                        select left(r.content, 1000) as content from entries r
                        where r.thread_id = e.thread_id and r.target_seq = e.seq and r.kind in (1, 2)
                        -- a deletion wins over any later edit
                        order by r.kind desc, r.seq desc limit 1) as revised on true) as last on true
                """.formatted(head, condition);
    }

    /** The last message in a result that has the columns of {@code last}. */
    static ThreadSnapshot.@Nullable LastMessage read(ResultSet row) throws SQLException {
        OffsetDateTime at = row.getObject("message_at", OffsetDateTime.class);
        return at == null
                ? null
                : new ThreadSnapshot.LastMessage(
                        at.toInstant(),
                        Excerpt.of(row.getString("message_content"), row.getString("message_metadata"), PREVIEW));
    }
}
