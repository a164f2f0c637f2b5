package dev.parley.bench.read;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.RunClient;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.HistoryQuery;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ThreadClient;
import dev.parley.sdk.ThreadQuery;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** The whole benchmark: fill, settle, then call each route for the small and for the large. */
final class ReadBench {
    private static final int PAGE = 50;
    private static final ThreadQuery LIST = new ThreadQuery(false, null, PAGE);

    private final ReadPlan plan;
    private final PrintStream out;
    private final List<ReadReport.Row> rows = new ArrayList<>();

    ReadBench(ReadPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /** A thread as one of the two who talk in it sees it. */
    private record Conversation(ThreadId id, ThreadClient thread, int messages) {
        long middle() {
            return messages / 2;
        }
    }

    ReadReport run() throws SQLException {
        Machine machine = Machine.here();
        out.println(machine);
        try (ReadRig rig = new ReadRig()) {
            Accounts.User reader = rig.user(0);
            Accounts.User busy = rig.user(1);
            Accounts.User quiet = rig.user(2);
            Accounts.User other = rig.user(3);
            Filling filling = new Filling(rig.connection());
            out.println("filling");
            Parley asReader = rig.as(reader);
            Conversation large = conversation(asReader, filling, reader, other, plan.messages());
            Conversation small = conversation(asReader, filling, reader, other, plan.smallMessages());
            filling.addThreads(busy.actor(), other.actor(), plan.threads(), plan.messagesPerThread());
            filling.addThreads(quiet.actor(), other.actor(), plan.smallThreads(), plan.messagesPerThread());
            filling.settle();
            Buffers buffers = new Buffers(rig.connection());
            measureThread(buffers, asReader, small, large);
            RunClient asker = rig.runsOf(reader);
            measure(buffers, "run, start to end", small, large, each -> asker.turn(each.id(), "one more"));
            measureList(buffers, rig.as(quiet), rig.as(busy));
        }
        return new ReadReport(machine, plan, List.copyOf(rows));
    }

    private static Conversation conversation(
            Parley client, Filling filling, Accounts.User reader, Accounts.User other, int messages)
            throws SQLException {
        ThreadId thread = new ThreadId(filling.addThreads(reader.actor(), other.actor(), 1, messages));
        return new Conversation(thread, client.thread(thread), messages);
    }

    private void measureThread(Buffers buffers, Parley asReader, Conversation small, Conversation large)
            throws SQLException {
        // First, while nothing was posted and so nothing is read: the count goes to its cap in both.
        measure(
                buffers,
                "thread with unread count",
                small,
                large,
                each -> each.thread().view());
        measure(buffers, "latest page", small, large, each -> each.thread().latestMessages(PAGE));
        measure(
                buffers,
                "page before the middle",
                small,
                large,
                each -> each.thread().messagesBefore(each.middle(), PAGE));
        measure(
                buffers,
                "page after the middle",
                small,
                large,
                each -> each.thread().messagesAfter(each.middle(), PAGE));
        measure(
                buffers,
                "entries after the middle",
                small,
                large,
                each -> each.thread().entriesAfter(each.middle(), PAGE));
        measure(
                buffers,
                "poll after the middle",
                small,
                large,
                each -> each.thread().poll(Cursor.after(each.middle()), PAGE, Duration.ZERO));
        measure(buffers, "day history", small, large, each -> asReader.history().day(HistoryQuery.of(each.id())));
        LocalDate smallMiddle = dayOf(asReader, small);
        LocalDate largeMiddle = dayOf(asReader, large);
        measure(
                buffers,
                "day before the middle",
                small,
                large,
                each -> asReader.history()
                        .day(HistoryQuery.of(each.id()).before(each.equals(large) ? largeMiddle : smallMiddle)));
        measure(buffers, "mark as read", small, large, each -> each.thread().markRead(1));
        measure(buffers, "post", small, large, each -> each.thread().post(NewMessage.text("one more")));
    }

    /** The day on which half of a conversation was over. */
    private static LocalDate dayOf(Parley client, Conversation conversation) {
        return Objects.requireNonNull(client.history()
                .day(HistoryQuery.of(conversation.id()).beforeSeq(conversation.middle()))
                .day());
    }

    private void measureList(Buffers buffers, Parley quiet, Parley busy) throws SQLException {
        measure(
                buffers,
                "day history of the latest thread",
                quiet,
                busy,
                each -> each.history().day(HistoryQuery.LATEST));
        measure(buffers, "list of threads", quiet, busy, each -> each.threads().list(LIST));
        String quietMiddle = cursorAfter(quiet, plan.smallThreads() / 2);
        String busyMiddle = cursorAfter(busy, plan.threads() / 2);
        measure(
                buffers,
                "list from the middle",
                quiet,
                busy,
                each -> each.threads()
                        .listAfter(
                                each == busy ? busyMiddle : quietMiddle,
                                new ThreadQuery(false, null, plan.smallThreads() / 4)));
        // Without a promise: looking for what is rare has to pass over what is not.
        rows.add(row(
                buffers,
                "list of the archived, there are none",
                false,
                quiet,
                busy,
                each -> each.threads().list(ThreadQuery.ARCHIVED)));
        rows.add(row(
                buffers,
                "list by words that no title has",
                false,
                quiet,
                busy,
                each -> each.threads().list(ThreadQuery.titled("nowhere"))));
    }

    /** The cursor behind this many threads, or some more. */
    private static String cursorAfter(Parley client, int threads) {
        ThreadQuery query = new ThreadQuery(false, null, Math.clamp(threads, 1, 200));
        ThreadPage page = client.threads().list(query);
        int passed = page.threads().size();
        while (passed < threads && page.nextCursor() != null) {
            page = client.threads().listAfter(page.nextCursor(), query);
            passed += page.threads().size();
        }
        String cursor = page.nextCursor();
        if (cursor == null) {
            throw new IllegalStateException("The list of threads ended after " + passed);
        }
        return cursor;
    }

    private <T> void measure(Buffers buffers, String route, T small, T large, Consumer<T> request) throws SQLException {
        rows.add(row(buffers, route, true, small, large, request));
    }

    private <T> ReadReport.Row row(
            Buffers buffers, String route, boolean bounded, T small, T large, Consumer<T> request) throws SQLException {
        Buffers.Touched least = buffers.count(plan.requests(), () -> request.accept(small));
        Buffers.Touched most = buffers.count(plan.requests(), () -> request.accept(large));
        out.printf("%-40s %,10.1f %,10.1f%n", route, least.buffers(), most.buffers());
        return new ReadReport.Row(route, least.buffers(), most.buffers(), most.statements(), bounded);
    }
}
