package dev.parley.bench.append;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The tables that the yardsticks write to, and the last seqs in these tables. The tables are in the server's database,
 * and have the same shape as the server's tables. As in the server, the seqs continue from round to round.
 */
final class Yardstick {
    private static final String TABLES = """
            create schema yardstick;
            create table yardstick.bare (like public.entries including all);
            create table yardstick.ordered (like public.entries including all);
            create table yardstick.pgbench (like public.entries including all);
            create table yardstick.heads (like public.thread_heads including all) with (fillfactor = 50);
            alter table yardstick.heads set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)
            """;
    private static final String ADD_HEAD = """
            insert into yardstick.heads (thread_id, last_seq, last_position, last_created_at, head_hash)
            values (?, 0, 0, now(), decode(repeat('00', 32), 'hex'))
            """;

    private final DatabaseAddress address;
    private final List<ThreadId> threads;
    private final AtomicLongArray seqs;

    private Yardstick(DatabaseAddress address, List<ThreadId> threads) {
        this.address = address;
        this.threads = List.copyOf(threads);
        this.seqs = new AtomicLongArray(threads.size());
    }

    static Yardstick prepare(DatabaseAddress address, List<ThreadId> threads) throws SQLException {
        Yardstick yardstick = new Yardstick(address, threads);
        try (Connection connection = yardstick.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
            try (PreparedStatement heads = connection.prepareStatement(ADD_HEAD)) {
                for (ThreadId thread : threads) {
                    heads.setObject(1, thread.value());
                    heads.addBatch();
                }
                heads.executeBatch();
            }
        }
        return yardstick;
    }

    Connection connect() throws SQLException {
        return address.connect();
    }

    List<Connection> connect(int count) throws SQLException {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(connect());
        }
        return connections;
    }

    int threadCount() {
        return threads.size();
    }

    ThreadId thread(int index) {
        return threads.get(index);
    }

    /** The next seq of a thread in the table of bare inserts. */
    long nextSeq(int thread) {
        return seqs.incrementAndGet(thread);
    }
}
