package dev.parley.sdk;

import dev.parley.protocol.agent.HistoryDay;
import java.util.Optional;
import java.util.stream.Stream;

/** The messages of the caller's threads, day by day. */
public final class History {
    private static final String PATH = "/api/v1/agent/history";

    private final Transport transport;

    History(Transport transport) {
        this.transport = transport;
    }

    /** One day, or the latest part of a long day. */
    public HistoryDay day(HistoryQuery query) {
        return transport.get(PATH + query.text(), HistoryDay.class);
    }

    /**
     * All days from the query's day back to the thread's beginning, fetched page by page as the stream is read. A long
     * day comes in several pages, its latest part first. All pages are of the first page's thread, even if another
     * thread becomes active meanwhile.
     */
    public Stream<HistoryDay> back(HistoryQuery query) {
        return Stream.iterate(Optional.of(day(query)), Optional::isPresent, page -> next(page, query))
                .flatMap(Optional::stream);
    }

    private Optional<HistoryDay> next(Optional<HistoryDay> page, HistoryQuery query) {
        return page.filter(each -> each.hasMore() && !each.messages().isEmpty())
                .map(each -> day(new HistoryQuery(
                        each.threadId(),
                        null,
                        query.zone(),
                        each.messages().getFirst().seq(),
                        query.limit())));
    }
}
