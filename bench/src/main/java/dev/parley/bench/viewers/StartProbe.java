package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeatedly starts a server with its own PostgreSQL on a used data folder, at first after a clean stop and then after
 * a kill. The start is rehearsed once beforehand, as with {@code ./parley serve}.
 */
final class StartProbe {
    private static final int THREADS = 20;
    private static final int MESSAGES = 500;

    private final Path folder;
    private final Path cache;
    private final Accounts accounts = new Accounts(1);
    private ServerProcess.Program program = ServerProcess.Program.PARLEY;
    private final List<Double> starts = new ArrayList<>();
    private final List<Double> recoveries = new ArrayList<>();

    StartProbe(Path folder) {
        this.folder = folder;
        this.cache = folder.resolveSibling("parley.aot");
    }

    /**
     * Times in seconds, in the order of measurement.
     *
     * @param starts the times from the start of the process, after a clean stop, until the server has answered a read
     * @param recoveries the times from kill -9 until the server, restarted at once, has acknowledged a message
     */
    record Times(List<Double> starts, List<Double> recoveries) {}

    Times measure(int times) {
        if (times == 0) {
            return new Times(List.of(), List.of());
        }
        program = ServerProcess.Program.rehearsed(cache);
        ThreadId thread;
        try (ServerProcess server = start()) {
            thread = fill(server);
        }
        for (int i = 0; i < times; i++) {
            long before = System.nanoTime();
            try (ServerProcess server = start();
                    Parley client = client(server)) {
                client.thread(thread).latestMessages(20);
                starts.add(secondsSince(before));
            }
        }
        ServerProcess server = start();
        try {
            for (int i = 0; i < times; i++) {
                post(server, thread);
                long before = System.nanoTime();
                server.kill();
                ServerProcess killed = server;
                server = start();
                post(server, thread);
                recoveries.add(secondsSince(before));
                killed.close();
            }
        } finally {
            server.close();
        }
        return new Times(List.copyOf(starts), List.copyOf(recoveries));
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private ServerProcess start() {
        return ServerProcess.alone(program, folder, accounts);
    }

    private Parley client(ServerProcess server) {
        return accounts.users().getFirst().connect(server.uri());
    }

    private ThreadId fill(ServerProcess server) {
        List<ThreadId> threads = accounts.makeThreads(server.uri(), THREADS);
        try (Parley client = client(server)) {
            for (int i = 0; i < MESSAGES; i++) {
                client.thread(threads.get(i % THREADS)).post(NewMessage.text("message " + i));
            }
        }
        return threads.getFirst();
    }

    private void post(ServerProcess server, ThreadId thread) {
        try (Parley client = client(server)) {
            client.thread(thread).post(NewMessage.text("still here"));
        }
    }
}
