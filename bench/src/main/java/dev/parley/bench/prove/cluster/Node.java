package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node: a server process with networks of its own that can be broken, towards its callers, PostgreSQL and Redis. It
 * stays at one address for its callers, however often it is started anew.
 */
public final class Node implements AutoCloseable {
    private static final Duration OK_LIMIT = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(100);

    private final int number;
    private final Plan plan;
    private final FaultProxy front;
    private final FaultProxy database;
    private final FaultProxy redis;
    private final AtomicReference<@Nullable ServerProcess> process = new AtomicReference<>();

    /**
     * What all nodes have in common.
     *
     * @param data the folder of objects, the same for all
     * @param notes where clocks and outputs are kept
     * @param databaseUrl makes the URL of the database from the port that leads to it
     */
    record Plan(
            Path data,
            Path notes,
            String heap,
            Map<String, String> environment,
            List<String> flags,
            IntFunction<String> databaseUrl) {}

    Node(int number, Plan plan, InetSocketAddress postgres, InetSocketAddress redis) throws IOException {
        this.number = number;
        this.plan = plan;
        this.database = FaultProxy.to(postgres);
        this.redis = FaultProxy.to(redis);
        // Where the process is, is known as soon as there is one.
        this.front = FaultProxy.to(new InetSocketAddress("127.0.0.1", 1));
        JumpingClock.set(clockFile(), Duration.ZERO);
    }

    public void start() {
        List<String> flags = new ArrayList<>(List.of(
                "--database-url",
                plan.databaseUrl().apply(database.port()),
                "--redis-url",
                "redis://127.0.0.1:" + redis.port(),
                "--log-level",
                "warn"));
        flags.addAll(plan.flags());
        ServerProcess started = ServerProcess.start(
                new ServerProcess.Program(
                        NodeProgram.class.getName(),
                        List.of("-Xmx" + plan.heap(), "-D" + NodeProgram.CLOCK + "=" + clockFile())),
                plan.data(),
                plan.environment(),
                flags);
        process.set(started);
        front.upstream(
                new InetSocketAddress(started.uri().getHost(), started.uri().getPort()));
    }

    int number() {
        return number;
    }

    /** Where callers reach it, for good. */
    public URI entrance() {
        return front.uri();
    }

    /** Where the process itself listens now. */
    public URI address() {
        return current().uri();
    }

    FaultProxy front() {
        return front;
    }

    FaultProxy database() {
        return database;
    }

    FaultProxy redis() {
        return redis;
    }

    void jump(Duration offset) {
        JumpingClock.set(clockFile(), offset);
    }

    private Path clockFile() {
        return plan.notes().resolve("clock-" + number);
    }

    /** kill -9. */
    public void kill() {
        end(current()::kill);
    }

    /** Tells it to stop and waits until it has. */
    void stop() {
        end(current()::stop);
    }

    private void end(Runnable how) {
        ServerProcess ending = current();
        try (ending) {
            how.run();
        } finally {
            keepOutput(ending);
        }
    }

    void signal(String name) {
        current().signal(name);
    }

    boolean isRunning() {
        return current().running();
    }

    private ServerProcess current() {
        ServerProcess started = process.get();
        if (started == null) {
            throw new IllegalStateException("Node " + number + " was not started");
        }
        return started;
    }

    /** Waits until it says that it is ready; false if it does not in time. */
    boolean awaitReady(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        HttpRequest ask = HttpRequest.newBuilder(address().resolve("/health/ready"))
                .timeout(OK_LIMIT)
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (System.nanoTime() - deadline < 0) {
                try {
                    if (http.send(ask, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                        return true;
                    }
                } catch (IOException notYet) {
                    // Asked again below.
                }
                Thread.sleep(POLL);
            }
            return false;
        }
    }

    /** What it printed, over all its lives. */
    private void keepOutput(ServerProcess ended) {
        try {
            Files.write(
                    plan.notes().resolve("output-of-node-" + number + ".txt"),
                    ended.output(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "node " + number;
    }

    @Override
    public void close() throws IOException {
        ServerProcess last = process.get();
        if (last != null && last.running()) {
            // One that is stopped would not hear anything else.
            last.signal("CONT");
            stop();
        }
        front.close();
        database.close();
        redis.close();
    }
}
