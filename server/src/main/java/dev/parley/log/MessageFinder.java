package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages by their metadata. A run's messages come from an index. A stage is compared message by message, so one
 * call searches a limited number of messages and returns the seq at which it stopped.
 */
public final class MessageFinder {
    /** The expression of the index {@code entries_by_run}. */
    private static final String OF_RUN = "and e.metadata is not null and metadata_text(e.metadata, 'run_id') = :run";

    private final Database database;
    private final int scan;

    /** @param scan the number of messages that one call searches */
    public MessageFinder(Database database, int scan) {
        this.database = database;
        this.scan = scan;
    }

    /**
     * Messages that match, ascending.
     *
     * @param more true if there may be further messages in the direction of the read
     * @param stoppedAt the seq of the last message searched; null if the read ended for another reason
     */
    public record MatchingSeqs(
            List<Long> seqs, boolean more, @Nullable Long stoppedAt) {}

    /** Up to {@code limit} matching messages, those nearest to a seq. */
    public MatchingSeqs find(ThreadId thread, MessageFilter filter, Direction direction, long seq, int limit) {
        MatchingSeqs nearest = limited(search(thread, filter, direction, seq, limit), limit);
        return switch (direction) {
            case FORWARDS -> nearest;
            case BACKWARDS -> new MatchingSeqs(nearest.seqs().reversed(), nearest.more(), nearest.stoppedAt());
        };
    }

    private record Row(long seq, boolean matches, int number) {}

    private MatchingSeqs limited(List<Row> rows, int limit) {
        List<Long> matching = rows.stream().filter(Row::matches).map(Row::seq).toList();
        if (matching.size() > limit) {
            return new MatchingSeqs(matching.subList(0, limit), true, null);
        }
        boolean stopped = !rows.isEmpty() && rows.getLast().number() == scan;
        return new MatchingSeqs(matching, stopped, stopped ? rows.getLast().seq() : null);
    }

    /** The matching messages, one more than the limit, and the message at which the search stops. */
    private List<Row> search(ThreadId thread, MessageFilter filter, Direction direction, long seq, int limit) {
        String sql = """
                select looked.seq, looked.matches, looked.number
                from (
                    select near.seq, row_number() over (order by near.seq %3$s) as number,
                        :stage::text is null or coalesce(metadata_text(near.metadata, 'stage') = :stage, false) as matches
                    from (
                        select e.seq, e.metadata from entries e
                        where e.thread_id = :thread and e.kind = 0 and e.seq %1$s :seq %2$s
                        order by e.seq %3$s limit :scan) as near) as looked
                where looked.matches or looked.number = :scan
                order by looked.seq %3$s limit :limit""".formatted(direction.comparison, filter.runId() == null ? "" : OF_RUN, direction.order);
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("stage", filter.stage())
                .bind("scan", scan)
                .bind("limit", limit + 1)
                .bindMap(filter.runId() == null ? Map.of() : Map.of("run", filter.runId()))
                .map((row, context) -> new Row(row.getLong("seq"), row.getBoolean("matches"), row.getInt("number")))
                .list());
    }
}
