package dev.parley.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.log.ChainCheck;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with an operator, for tests that search for erased content. */
final class ErasingServer implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);
    static final String DEMO = "agent:00000000-0000-7000-8000-0000000000de";

    private final Path data;
    private final RunningServer server;
    private final UUID operatorId;
    private final Api operator;

    private ErasingServer(Path data, RunningServer server, UUID operatorId) {
        this.data = data;
        this.server = server;
        this.operatorId = operatorId;
        this.operator = server.api(operatorId, "Operator");
    }

    static ErasingServer start(String... flags) {
        return start(Clock.systemUTC(), flags);
    }

    static ErasingServer start(Clock clock, String... flags) {
        UUID operator = UUID.randomUUID();
        try {
            Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
            String[] all = Stream.concat(
                            Stream.of(
                                    "--data",
                                    data.toString(),
                                    "--rate-limits",
                                    "off",
                                    "--operators",
                                    operator.toString(),
                                    "--integration-keys",
                                    "slack=" + "k".repeat(32)),
                            Stream.of(flags))
                    .toArray(String[]::new);
            RunningServer server = RunningServer.start(clock, all);
            return new ErasingServer(data, server, operator);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    RunningServer running() {
        return server;
    }

    Api operator() {
        return operator;
    }

    Api slack() {
        return server.api("k".repeat(32));
    }

    /** A second node on the same database and the same store. */
    Server anotherNode() {
        DatabaseAddress database = server.database();
        return Server.start(Config.load(
                List.of(
                        "--port",
                        "0",
                        "--rate-limits",
                        "off",
                        "--operators",
                        operatorId.toString(),
                        "--jwt-secret",
                        "a secret that only the tests of this server know",
                        "--data",
                        data.toString(),
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        String.valueOf(database.user()),
                        "--database-password",
                        String.valueOf(database.password())),
                Map.of()));
    }

    /** A person who calls the server. */
    record Person(UUID id, Api api) {
        String actor() {
            return "user:" + id;
        }
    }

    Person person(String name) {
        UUID id = UUID.randomUUID();
        return new Person(id, server.api(id, name));
    }

    static JsonNode must(Api.Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
        return reply.json();
    }

    static String json(Object value) {
        return Json.MAPPER.writeValueAsString(value);
    }

    static String thread(Person owner, String... others) {
        return must(owner.api().post("/api/v1/chat/threads", json(Map.of("participants", List.of(others)))))
                .path("thread_id")
                .asString();
    }

    static JsonNode post(Person author, String thread, String text) {
        return must(author.api().post("/api/v1/chat/threads/" + thread + "/messages", json(Map.of("content", text))));
    }

    static List<JsonNode> messages(Person reader, String thread) {
        return must(reader.api().get("/api/v1/chat/threads/" + thread + "/messages?limit=200"))
                .path("messages")
                .valueStream()
                .toList();
    }

    static Map<String, Object> input(String thread, String run, String text) {
        return Map.of(
                "threadId",
                thread,
                "runId",
                run,
                "messages",
                List.of(Map.of("id", "m-" + run, "role", "user", "content", text)));
    }

    /** Requests a run and waits until it is over. */
    void run(Person caller, String thread, String run, String text) {
        must(caller.api().post("/api/v1/agent/runs", json(input(thread, run, text))));
        awaitRun(thread, run);
    }

    void awaitRun(String thread, String run) {
        await().atMost(LIMIT)
                .until(() -> server.count("select count(*) from runs where thread_id = '" + thread + "' and run_id = '"
                                + run + "' and ended_at is not null")
                        == 1);
    }

    void awaitQuiet(String thread) {
        await().atMost(LIMIT)
                .until(() -> server.count(
                                "select count(*) from runs where thread_id = '" + thread + "' and ended_at is null")
                        == 0);
    }

    /** Requests an erasure, and waits until it is finished. */
    JsonNode erase(Map<String, Object> wish) {
        return finished(must(operator.post("/api/v1/operator/erasures", json(wish))));
    }

    JsonNode finished(JsonNode erasure) {
        String path = "/api/v1/operator/erasures/" + erasure.path("erasure_id").asString();
        await().atMost(LIMIT)
                .until(() -> must(operator.get(path)).path("state").asString().equals("finished"));
        return must(operator.get(path));
    }

    /** The tables and files that contain a text, in any encoding. */
    List<String> holding(String... marks) {
        List<String> found = new ArrayList<>();
        for (String table : server.select("""
                select table_name from information_schema.tables
                where table_schema = 'public' and table_type = 'BASE TABLE' order by 1""")) {
            for (String row : server.select("select t::text from " + table + " t")) {
                if (row != null && Stream.of(marks).anyMatch(mark -> holds(row, mark))) {
                    found.add(table + ": " + row);
                }
            }
        }
        for (String mark : marks) {
            files(mark).forEach(found::add);
        }
        return found;
    }

    private static boolean holds(String row, String mark) {
        String lower = row.toLowerCase(Locale.ROOT);
        StringBuilder escaped = new StringBuilder();
        mark.chars().forEach(each -> escaped.append(String.format(Locale.ROOT, "\\\\u%04x", each)));
        return lower.contains(mark.toLowerCase(Locale.ROOT))
                || lower.contains(HexFormat.of().formatHex(mark.getBytes(StandardCharsets.UTF_8)))
                || lower.contains(escaped.substring(1));
    }

    private List<String> files(String mark) {
        String wanted = new String(mark.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> holds(file, wanted))
                    .map(Path::toString)
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean holds(Path file, @Nullable String wanted) {
        try {
            return wanted != null
                    && Files.readString(file, StandardCharsets.ISO_8859_1).contains(wanted);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Entries, digests and the head agree; erased entries are covered by their digest alone. */
    void checkChain(String thread) {
        assertThat(chainFindings(thread)).isEmpty();
    }

    /** The disagreements, if there are any. */
    List<String> chainFindings(String thread) {
        DatabaseAddress address = server.database();
        ThreadId checked = new ThreadId(UUID.fromString(thread));
        List<String> wrong = new ArrayList<>();
        try (Connection connection =
                DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password())) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            new ChainCheck(connection, (found, what) -> wrong.add(what), count -> {}).check(checked, checked);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return wrong;
    }

    @Override
    public void close() {
        server.close();
    }
}
