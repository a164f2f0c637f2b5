package dev.parley.bench.read;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.RunClient;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Workbench;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.HistoryQuery;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ThreadClient;
import dev.parley.sdk.ThreadQuery;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Compares each route's cost for small data with its cost for large data. Fails if the cost of a bounded route grows
 * with the data.
 */
public final class ReadBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "read",
            "buffers that reading touches, for large conversations against small ones",
            """
                --messages 1000000   messages of the large thread, and of all the busy user's threads together
                --threads 10000      threads of the busy user
                --requests 50        calls of each route
                --json FILE          file of the figures (target/bench/read.json)
            """,
            Plan::of,
            (plan, bench) -> new ReadBench(plan, bench).measure());

    private static final int PAGE = 50;
    private static final int USERS = 4;
    private static final ThreadQuery LIST = new ThreadQuery(false, null, PAGE);
    private static final Map<String, String> POSTGRES =
            Map.of("shared_preload_libraries", "pg_stat_statements", "max_wal_size", "4GB");

    /**
     * The sizes of the data.
     *
     * @param smallMessages the number of messages in the small thread
     * @param smallThreads the number of threads of the quiet user
     */
    record Plan(int messages, int smallMessages, int threads, int smallThreads, int requests, Path json)
            implements Scenario.Plan {
        private static final int SMALL_MESSAGES = 1_000;
        private static final int SMALL_THREADS = 100;

        static Plan of(Flags flags) {
            return new Plan(
                    flags.number("messages", SMALL_MESSAGES, 100_000_000),
                    SMALL_MESSAGES,
                    flags.number("threads", SMALL_THREADS, 1_000_000),
                    SMALL_THREADS,
                    flags.number("requests", 10, 10_000),
                    flags.path("json"));
        }

        int messagesPerThread() {
            return Math.max(1, messages / threads);
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final Cluster cluster;
    private final Filling filling;
    private final Buffers buffers;
    private final List<ReadReport.Row> rows = new ArrayList<>();

    private ReadBench(Plan plan, Workbench bench) throws SQLException {
        this.plan = plan;
        this.bench = bench;
        this.cluster = bench.keep(Cluster.single(bench.folder(), USERS, POSTGRES));
        Connection connection = cluster.connect();
        this.filling = new Filling(connection);
        this.buffers = new Buffers(connection);
    }

    /** A thread as one of its two participants sees it. */
    private record Conversation(ThreadId id, ThreadClient thread, int messages) {
        long middle() {
            return messages / 2;
        }
    }

    private ReadReport measure() throws SQLException {
        Accounts.User reader = cluster.user(0);
        Accounts.User busy = cluster.user(1);
        Accounts.User quiet = cluster.user(2);
        Accounts.User other = cluster.user(3);
        bench.out().println("filling");
        Parley asReader = connect(reader);
        Conversation large = conversation(asReader, reader, other, plan.messages());
        Conversation small = conversation(asReader, reader, other, plan.smallMessages());
        filling.addThreads(busy.actor(), other.actor(), plan.threads(), plan.messagesPerThread());
        filling.addThreads(quiet.actor(), other.actor(), plan.smallThreads(), plan.messagesPerThread());
        filling.settle();
        measureThread(asReader, small, large);
        RunClient asker = bench.keep(new RunClient(cluster.uri(), reader));
        measure("run, start to end", small, large, each -> asker.turn(each.id(), "one more"));
        measureList(connect(quiet), connect(busy));
        return new ReadReport(bench.machine(), plan, List.copyOf(rows));
    }

    private Parley connect(Accounts.User user) {
        return bench.keep(user.connect(cluster.uri()));
    }

    private Conversation conversation(Parley client, Accounts.User reader, Accounts.User other, int messages)
            throws SQLException {
        ThreadId thread = new ThreadId(filling.addThreads(reader.actor(), other.actor(), 1, messages));
        return new Conversation(thread, client.thread(thread), messages);
    }

    private void measureThread(Parley asReader, Conversation small, Conversation large) throws SQLException {
        // This measurement comes first, because the unread counts of both threads are at their cap only until the
        // reader posts or marks messages as read.
        measure("thread with unread count", small, large, each -> each.thread().view());
        measure("latest page", small, large, each -> each.thread().latestMessages(PAGE));
        measure("page before the middle", small, large, each -> each.thread().messagesBefore(each.middle(), PAGE));
        measure("page after the middle", small, large, each -> each.thread().messagesAfter(each.middle(), PAGE));
        measure("entries after the middle", small, large, each -> each.thread().entriesAfter(each.middle(), PAGE));
        measure(
                "poll after the middle",
                small,
                large,
                each -> each.thread().poll(Cursor.after(each.middle()), PAGE, Duration.ZERO));
        measure("day history", small, large, each -> asReader.history().day(HistoryQuery.of(each.id())));
        LocalDate smallMiddle = dayOf(asReader, small);
        LocalDate largeMiddle = dayOf(asReader, large);
        measure(
                "day before the middle",
                small,
                large,
                each -> asReader.history()
                        .day(HistoryQuery.of(each.id()).before(each.equals(large) ? largeMiddle : smallMiddle)));
        measure("mark as read", small, large, each -> each.thread().markRead(1));
        measure("post", small, large, each -> each.thread().post(NewMessage.text("one more")));
    }

    /** The day of a conversation's middle message. */
    private static LocalDate dayOf(Parley client, Conversation conversation) {
        return Objects.requireNonNull(client.history()
                .day(HistoryQuery.of(conversation.id()).beforeSeq(conversation.middle()))
                .day());
    }

    private void measureList(Parley quiet, Parley busy) throws SQLException {
        measure(
                "day history of the latest thread",
                quiet,
                busy,
                each -> each.history().day(HistoryQuery.LATEST));
        measure("list of threads", quiet, busy, each -> each.threads().list(LIST));
        String quietMiddle = cursorAfter(quiet, plan.smallThreads() / 2);
        String busyMiddle = cursorAfter(busy, plan.threads() / 2);
        ThreadQuery quarter = new ThreadQuery(false, null, plan.smallThreads() / 4);
        measure(
                "list from the middle",
                quiet,
                busy,
                each -> each.threads().listAfter(each == busy ? busyMiddle : quietMiddle, quarter));
        // No bound is promised here, because a search for rare threads must pass over frequent threads.
        row(
                "list of the archived, there are none",
                false,
                quiet,
                busy,
                each -> each.threads().list(ThreadQuery.ARCHIVED));
        row(
                "list by words that no title has",
                false,
                quiet,
                busy,
                each -> each.threads().list(ThreadQuery.titled("nowhere")));
    }

    /** The cursor after at least this many threads. */
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

    private <T> void measure(String route, T small, T large, Consumer<T> request) throws SQLException {
        row(route, true, small, large, request);
    }

    private <T> void row(String route, boolean bounded, T small, T large, Consumer<T> request) throws SQLException {
        Buffers.Touched least = buffers.count(plan.requests(), () -> request.accept(small));
        Buffers.Touched most = buffers.count(plan.requests(), () -> request.accept(large));
        bench.out().printf("%-40s %,10.1f %,10.1f%n", route, least.buffers(), most.buffers());
        rows.add(new ReadReport.Row(route, least.buffers(), most.buffers(), most.statements(), bounded));
    }
}
