package dev.parley.history;

import dev.parley.attachments.Attachments;
import dev.parley.auth.Principal;
import dev.parley.log.DayReader;
import dev.parley.log.Direction;
import dev.parley.log.PageSize;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.HistoryDay;
import dev.parley.runs.Runs;
import dev.parley.threads.LatestThread;
import dev.parley.threads.Messages;
import dev.parley.threads.ThreadAccess;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The front door of history: the latest day of a thread, and its earlier days one by one. */
public final class History {
    private final ThreadAccess access;
    private final LatestThread latest;
    private final Messages messages;
    private final DayReader days;
    private final HistoryMessages views;
    private final long pageBytes;

    /** @param bytes the bytes of the messages' text; if they exceed the given room, the day lacks messages */
    public record Page(HistoryDay day, long bytes) {
        static Page empty(@Nullable ThreadId thread) {
            return new Page(HistoryDay.empty(thread), 0);
        }
    }

    /**
     * @param locale the locale of UI schemas for which an agent names none
     * @param pageBytes the bytes after which a page ends
     */
    public History(
            ThreadAccess access,
            LatestThread latest,
            Messages messages,
            DayReader days,
            Runs runs,
            Attachments attachments,
            String locale,
            long pageBytes) {
        this.access = access;
        this.latest = latest;
        this.messages = messages;
        this.days = days;
        this.pageBytes = pageBytes;
        this.views = new HistoryMessages(runs, attachments, locale);
    }

    /**
     * The latest day with messages that the query allows, with as many of its latest messages as fit in a page. The
     * next page ends before the first message of this page, on the same day or on an earlier day.
     */
    public Page day(Principal caller, HistoryQuery query, long room) {
        caller.requirePlace();
        return find(caller, query).map(thread -> day(thread, query, room)).orElseGet(() -> Page.empty(null));
    }

    private Optional<ThreadId> find(Principal caller, HistoryQuery query) {
        if (query.thread() == null) {
            return latest.of(caller);
        }
        access.requireReadable(caller, query.thread());
        return Optional.of(query.thread());
    }

    private Page day(ThreadId thread, HistoryQuery query, long room) {
        Days calendar = new Days(query.zone());
        long end = query.beforeSeq() == null ? Long.MAX_VALUE : query.beforeSeq();
        if (query.before() != null) {
            end = Math.min(end, days.firstAt(thread, calendar.beginning(query.before())));
        }
        DayReader.Spoken last = days.lastBefore(thread, end).orElse(null);
        if (last == null) {
            return Page.empty(thread);
        }
        LocalDate day = calendar.of(last.at());
        long first = days.firstAt(thread, calendar.beginning(day), last.seq());
        List<Long> seqs = days.lastOf(thread, first, last.seq(), query.limit());
        Messages.Page page =
                messages.at(thread, seqs, Direction.BACKWARDS, new PageSize(query.limit(), pageBytes, room));
        if (page.messages().isEmpty()) {
            // The thread was deleted meanwhile, or the page does not fit in the room.
            return new Page(HistoryDay.empty(thread), page.bytes());
        }
        boolean more = days.lastBefore(
                        thread, page.messages().getFirst().original().seq())
                .isPresent();
        return new Page(
                new HistoryDay(HistoryDay.SCOPE, thread, day, more, views.of(thread, page.messages())), page.bytes());
    }
}
