package dev.parley.bench.append;

import dev.parley.bench.rig.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Writers that insert messages over JDBC in one of two styles, each on its own connection, one message at a time. */
final class JdbcLoad implements AppendLoad {
    /** The way in which a message is written. */
    enum Style {
        /** One insert that commits itself: durable, but neither ordered nor idempotent. */
        BARE_INSERT,
        /** Lock the thread's head, insert, move the head, commit: durable and ordered. */
        TRANSACTION
    }

    private final Yardstick yardstick;
    private final Style style;
    private final String content;
    private final List<Connection> connections;

    JdbcLoad(Yardstick yardstick, Style style, int connections, String content) throws SQLException {
        this.yardstick = yardstick;
        this.style = style;
        this.content = content;
        this.connections = yardstick.connect(connections);
    }

    @Override
    public void run(Tally tally, BooleanSupplier goOn) {
        List<Thread> writers = new ArrayList<>();
        for (Connection connection : connections) {
            writers.add(Thread.ofPlatform().name("yardstick").start(() -> write(connection, tally, goOn)));
        }
        try {
            for (Thread writer : writers) {
                writer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Connection connection, Tally tally, BooleanSupplier goOn) {
        try {
            switch (style) {
                case BARE_INSERT -> insert(connection, tally, goOn);
                case TRANSACTION -> transact(connection, tally, goOn);
            }
        } catch (SQLException e) {
            tally.failed(String.valueOf(e.getMessage()));
        }
    }

    private void insert(Connection connection, Tally tally, BooleanSupplier goOn) throws SQLException {
        try (EntryInsert entry = new EntryInsert(connection, "bare", content)) {
            while (goOn.getAsBoolean()) {
                long start = System.nanoTime();
                int thread = anyThread();
                entry.insert(yardstick.thread(thread), yardstick.nextSeq(thread));
                tally.done(start);
            }
        }
    }

    private void transact(Connection connection, Tally tally, BooleanSupplier goOn) throws SQLException {
        connection.setAutoCommit(false);
        try (EntryInsert entry = new EntryInsert(connection, "ordered", content);
                HeadMove head = new HeadMove(connection)) {
            while (goOn.getAsBoolean()) {
                long start = System.nanoTime();
                int thread = anyThread();
                long seq = head.lock(yardstick.thread(thread)) + 1;
                entry.insert(yardstick.thread(thread), seq);
                head.moveTo(yardstick.thread(thread), seq);
                connection.commit();
                tally.done(start);
            }
        }
    }

    private int anyThread() {
        return ThreadLocalRandom.current().nextInt(yardstick.threadCount());
    }

    @Override
    public void close() {
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (SQLException broken) {
                // The measurement is over; the server cleans up after an abandoned connection.
            }
        }
    }
}
