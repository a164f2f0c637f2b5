package dev.parley.history;

import dev.parley.attachments.Attachments;
import dev.parley.auth.Principal;
import dev.parley.log.DayReader;
import dev.parley.log.Entry;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.HistoryDay;
import dev.parley.runs.Runs;
import dev.parley.threads.LatestThread;
import dev.parley.threads.Messages;
import dev.parley.threads.Threads;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** The front door of history: the latest day of a thread, and from there back, day by day. */
public final class History {
    /** A page is held in memory as a whole, for as long as a slow reader takes. */
    private static final long MOST_BYTES = 8L * 1024 * 1024;

    private final Threads threads;
    private final LatestThread latest;
    private final Messages messages;
    private final DayReader days;
    private final HistoryMessages views;

    /** What a history is read from. */
    public record Parts(
            Threads threads,
            LatestThread latest,
            Messages messages,
            DayReader days,
            Runs runs,
            Attachments attachments) {}

    /** @param locale of what is drawn, where an agent does not say */
    public History(Parts parts, String locale) {
        this.threads = parts.threads();
        this.latest = parts.latest();
        this.messages = parts.messages();
        this.days = parts.days();
        this.views = new HistoryMessages(parts.runs(), parts.attachments(), locale);
    }

    /**
     * The latest day that has messages, within what the query asks for: its latest messages, as many as fit in a page. Those
     * before a page's first message are the next page, of the same day or of the one before.
     */
    public HistoryDay day(Principal caller, HistoryQuery query) {
        caller.requirePlace();
        return find(caller, query).map(thread -> day(thread, query)).orElseGet(() -> HistoryDay.empty(null));
    }

    private Optional<ThreadId> find(Principal caller, HistoryQuery query) {
        if (query.thread() == null) {
            return latest.of(caller);
        }
        threads.requireReadable(caller, query.thread());
        return Optional.of(query.thread());
    }

    private HistoryDay day(ThreadId thread, HistoryQuery query) {
        Days calendar = new Days(query.zone());
        long end = query.beforeSeq() == null ? Long.MAX_VALUE : query.beforeSeq();
        if (query.before() != null) {
            end = Math.min(end, days.firstAt(thread, calendar.beginning(query.before())));
        }
        DayReader.Spoken last = days.lastBefore(thread, end).orElse(null);
        if (last == null) {
            return HistoryDay.empty(thread);
        }
        LocalDate day = calendar.of(last.at());
        long first = days.firstAt(thread, calendar.beginning(day), last.seq());
        List<Entry> page = days.lastOf(thread, first, last.seq(), query.limit(), MOST_BYTES);
        if (page.isEmpty()) {
            // The thread was deleted meanwhile.
            return HistoryDay.empty(thread);
        }
        boolean more = days.lastBefore(thread, page.getFirst().seq()).isPresent();
        return new HistoryDay(HistoryDay.SCOPE, thread, day, more, views.of(thread, messages.revised(thread, page)));
    }
}
