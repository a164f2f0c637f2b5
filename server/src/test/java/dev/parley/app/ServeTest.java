package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RetryPolicy;
import dev.parley.sdk.ThreadClient;
import dev.parley.sdk.Token;
import dev.parley.testkit.ChildProcess;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The program as its operators start, stop and lose it: real processes with the embedded PostgreSQL. */
class ServeTest {
    private static final int TERMINATED = 143;
    private static final List<Path> FOLDERS = new ArrayList<>();
    /** Shared by all tests of the class, so later tests find a data folder with a history. */
    private static Path data;

    @BeforeAll
    static void folder() throws IOException {
        data = freshFolder();
    }

    @AfterAll
    static void delete() {
        FOLDERS.forEach(Scratch::delete);
    }

    private static Path freshFolder() throws IOException {
        Path folder = Scratch.data();
        FOLDERS.add(folder);
        return folder;
    }

    @Test
    void aFirstStartNeedsNoSettingsAndAStopLeavesNoProcess() throws Exception {
        Path fresh = freshFolder();
        try (ServerProcess server = ServerProcess.start(fresh)) {
            assertThat(server.output())
                    .anyMatch(line -> line.matches("  host +127\\.0\\.0\\.1 \\(default\\)"))
                    .anyMatch(line -> line.matches("  jwt-secret +not set \\(default\\)"))
                    .noneMatch(line -> line.startsWith("parley: "));
            assertThat(server.get("/health").status()).isEqualTo(200);
            RawAnswer ready = server.get("/health/ready");
            assertThat(ready.status()).as(ready.text()).isEqualTo(200);
            ThreadId thread = server.client()
                    .createThread(new NewThread(null, null, null, null, null, "hello"))
                    .threadId();
            assertThat(server.client().thread(thread).view().lastSeq()).isEqualTo(1);

            assertMintedTokenWorks(server, fresh);
            assertInUse(fresh);

            ProcessHandle postgres = server.postgres();
            server.signal("TERM");
            assertThat(server.awaitExit()).isIn(0, TERMINATED);
            assertThat(runs(postgres)).as("PostgreSQL").isFalse();
            assertThat(processesOn(fresh)).isEmpty();
        }
    }

    private static void assertMintedTokenWorks(ServerProcess server, Path folder) throws Exception {
        UUID bob = UUID.randomUUID();
        CommandRun minted = CommandRun.of(
                "token", "--user", bob.toString(), "--name", "Bob", "--ttl", "5m", "--data", folder.toString());
        assertThat(minted.err()).isEmpty();
        assertThat(minted.status()).isZero();
        assertThat(minted.out()).hasSize(1);
        try (Parley client = Parley.connect(server.uri(), new Token(minted.out().getFirst()))) {
            assertThat(client.createThread(NewThread.EMPTY).participants())
                    .singleElement()
                    .satisfies(member -> {
                        assertThat(member.senderId().value()).isEqualTo("user:" + bob);
                        assertThat(member.displayName()).isEqualTo("Bob");
                    });
        }
    }

    private static void assertInUse(Path folder) throws Exception {
        CommandRun second = CommandRun.of("serve", "--port", "0", "--data", folder.toString());
        assertThat(second.status()).isNotZero();
        assertThat(second.err())
                .singleElement()
                .asString()
                .startsWith("parley: The data folder ")
                .contains(" is in use by another Parley (process ");
    }

    @Test
    void aStopInTheMiddleOfAStartLeavesNoProcess() throws Exception {
        Path fresh = freshFolder();
        Path running = fresh.resolve("postgres/cluster/postmaster.pid");
        try (ChildProcess starting = ChildProcess.java(
                fresh,
                Map.of(),
                CommandRun.JVM,
                Main.class.getName(),
                List.of("serve", "--port", "0", "--data", fresh.toString()))) {
            await().atMost(ServerProcess.START)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Files.exists(running));
            starting.signal("TERM");
            assertThat(starting.awaitExit(ServerProcess.STOP)).isEqualTo(TERMINATED);
            assertThat(processesOn(fresh)).isEmpty();
        }
    }

    @Test
    void aStopFinishesRequestsInProgress() throws Exception {
        Map<String, Long> acknowledged;
        ThreadId thread;
        try (ServerProcess server = ServerProcess.start(data);
                Parley once = impatient(server);
                ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
                RawHttp viewer = RawHttp.connect(server.uri(), ServerProcess.STOP);
                RawHttp poller = RawHttp.connect(server.uri(), ServerProcess.STOP)) {
            thread = once.createThread(NewThread.titled("stopped")).threadId();
            ThreadId quiet = once.createThread(NewThread.EMPTY).threadId();
            viewer.send(request(server, thread + "/events/stream?after_seq=0"));
            poller.send(request(server, quiet + "/events?wait=30"));
            Future<RawAnswer> seen = waiting.submit(viewer::readAnswer);
            Future<RawAnswer> polled = waiting.submit(poller::readAnswer);
            try (SteadyWriter writer = SteadyWriter.start(once.thread(thread), "stopped")) {
                writer.awaitMore(30);
                server.signal("TERM");
                acknowledged = writer.join();
            }
            RawAnswer poll = polled.get(ServerProcess.STOP.toSeconds(), TimeUnit.SECONDS);
            assertThat(poll.status()).as(poll.text()).isEqualTo(200);
            assertThat(Json.MAPPER.readTree(poll.body()).get("events")).isEmpty();
            // A stream that is cut off would have failed here, in the middle of a chunk.
            assertInOrder(seen.get(ServerProcess.STOP.toSeconds(), TimeUnit.SECONDS));
            assertThat(server.awaitExit()).isIn(0, TERMINATED);
            assertThat(processesOn(data)).isEmpty();
            assertThat(server.output()).noneMatch(line -> line.contains("Exception"));
        }
        try (ServerProcess again = ServerProcess.start(data)) {
            SteadyWriter.assertKept(again.client().thread(thread), acknowledged);
        }
    }

    private static String request(ServerProcess server, String path) {
        return "GET /api/v1/chat/threads/" + path + " HTTP/1.1\r\nHost: "
                + server.uri().getAuthority() + "\r\n\r\n";
    }

    private static void assertInOrder(RawAnswer stream) {
        assertThat(stream.status()).isEqualTo(200);
        List<String> ids =
                stream.text().lines().filter(line -> line.startsWith("id: ")).toList();
        assertThat(ids).isNotEmpty();
        assertThat(ids)
                .isEqualTo(IntStream.rangeClosed(1, ids.size())
                        .mapToObj(id -> "id: " + id)
                        .toList());
    }

    @Test
    void aKilledServerKeepsEveryAcknowledgedMessage() throws Exception {
        Map<String, Long> acknowledged;
        ThreadId thread;
        ProcessHandle orphan;
        String localUser;
        try (ServerProcess server = ServerProcess.start(data);
                Parley once = impatient(server)) {
            var made = once.createThread(NewThread.EMPTY);
            thread = made.threadId();
            localUser = made.participants().getFirst().senderId().value();
            try (SteadyWriter writer = SteadyWriter.start(once.thread(thread), "killed")) {
                writer.awaitMore(30);
                server.killNow();
                acknowledged = writer.join();
            }
            orphan = server.postgres();
            assertThat(runs(orphan)).as("PostgreSQL outlives a killed server").isTrue();
            try (ServerProcess again = ServerProcess.start(data)) {
                ThreadClient same = again.client().thread(thread);
                SteadyWriter.assertKept(same, acknowledged);
                assertThat(same.view().participants().getFirst().senderId().value())
                        .as("the local user")
                        .isEqualTo(localUser);
                assertThat(runs(orphan)).as("the orphan").isFalse();
            }
        }
    }

    @Test
    void aKilledPostgresIsStartedAgainAndBothKilledAreToo() throws Exception {
        Map<String, Long> acknowledged = new HashMap<>();
        ThreadId thread;
        try (ServerProcess server = ServerProcess.start(data);
                Parley once = impatient(server)) {
            thread = once.createThread(NewThread.EMPTY).threadId();
            try (SteadyWriter writer = SteadyWriter.start(server.client().thread(thread), "patient")) {
                writer.awaitMore(30);
                ProcessHandle first = server.postgres();
                assertThat(first.destroyForcibly()).isTrue();
                first.onExit().get(ServerProcess.STOP.toSeconds(), TimeUnit.SECONDS);
                writer.awaitMore(30);
                acknowledged.putAll(writer.stop());
            }
            SteadyWriter.assertKept(once.thread(thread), acknowledged);
            assertThat(server.get("/health/ready").status()).isEqualTo(200);

            try (SteadyWriter writer = SteadyWriter.start(once.thread(thread), "last")) {
                writer.awaitMore(30);
                ProcessHandle postgres = server.postgres();
                server.killNow();
                postgres.destroyForcibly();
                acknowledged.putAll(writer.join());
            }
            try (ServerProcess again = ServerProcess.start(data)) {
                SteadyWriter.assertKept(again.client().thread(thread), acknowledged);
            }
        }
    }

    /** A client that does not retry. */
    private static Parley impatient(ServerProcess server) {
        return Parley.at(server.uri()).retryCalls(RetryPolicy.never()).connect();
    }

    /** A dead process that is not reaped still counts as alive, but has no command line any more. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().isPresent();
    }

    private static List<String> processesOn(Path folder) {
        List<String> found = new ArrayList<>();
        ProcessHandle.allProcesses()
                .forEach(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(folder.toString()))
                        .ifPresent(found::add));
        return found;
    }
}
