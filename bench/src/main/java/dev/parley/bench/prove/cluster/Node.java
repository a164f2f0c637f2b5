package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.BenchPostgres;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.DatabaseAddress;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One node. It is a server process with faulty networks of its own to its callers, to PostgreSQL and to Redis. The
 * entrance of the node keeps one address over all restarts.
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
     * The surroundings of a node.
     *
     * @param data the folder of objects, the same for all nodes
     * @param notes the folder of clock files and outputs
     */
    record Plan(Path data, Path notes, String heap, Map<String, String> environment, DatabaseAddress database) {}

    Node(int number, Plan plan, int postgres, int redis) throws IOException {
        this.number = number;
        this.plan = plan;
        this.database = proxyTo(postgres);
        this.redis = proxyTo(redis);
        // Port 1 is a placeholder until the start, because only a started process has an address.
        this.front = proxyTo(1);
        JumpingClock.set(clockFile(), Duration.ZERO);
    }

    private static FaultProxy proxyTo(int port) throws IOException {
        return FaultProxy.to(new InetSocketAddress("127.0.0.1", port));
    }

    public void start() {
        ServerProcess started = ServerProcess.on(
                BenchPostgres.through(plan.database(), database.port()),
                new ServerProcess.Program(
                        NodeProgram.class.getName(),
                        List.of("-Xmx" + plan.heap(), "-D" + NodeProgram.CLOCK + "=" + clockFile())),
                plan.data(),
                plan.environment(),
                List.of("--redis-url", "redis://127.0.0.1:" + redis.port()));
        process.set(started);
        front.upstream(started.address());
    }

    int number() {
        return number;
    }

    /** The address for callers, which never changes. */
    public URI entrance() {
        return front.uri();
    }

    /** The address of the current process, which changes with every start. */
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

    /** Kills the server with {@code kill -9}. */
    public void kill() {
        end(current()::kill);
    }

    /** Tells the server to stop, and waits for its end. */
    void stop() {
        end(current()::stop);
    }

    private void end(Runnable action) {
        ServerProcess ending = current();
        try (ending) {
            action.run();
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

    /** Waits until the server reports that it is ready; false on timeout. */
    boolean awaitReady(Duration limit) throws InterruptedException {
        HttpRequest ask = HttpRequest.newBuilder(address().resolve("/health/ready"))
                .timeout(OK_LIMIT)
                .build();
        Deadline deadline = Deadline.in(limit);
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!deadline.isOver()) {
                try {
                    if (http.send(ask, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                        return true;
                    }
                } catch (IOException notYet) {
                    // The loop asks again.
                }
                Thread.sleep(POLL);
            }
            return false;
        }
    }

    /** Saves the output of an ended process. */
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
            // A stopped process receives no other signal.
            last.signal("CONT");
            stop();
        }
        front.close();
        database.close();
        redis.close();
    }
}
