package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.auth.UserTokens;
import dev.parley.protocol.UuidV7;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server twice on a temporary folder, and sends a user's first requests after each start. The folder is
 * removed afterwards.
 */
public final class Rehearsal implements AutoCloseable {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(10);
    private static final Pattern THREAD = Pattern.compile("\"thread_id\":\"([^\"]+)\"");
    private static final int MESSAGES = 20;
    /** The turns after which the recorded profiles show the compiler the paths of a conversation. */
    private static final int TURNS = 100;

    private static final int SUCCESSFUL = 2;

    private final Path folder;
    private final Function<Config, Stage> start;
    private @Nullable Stage stage;
    private boolean closed;

    /** A running server: its address, the tokens of its users, and the action that stops it. */
    public record Stage(String url, UserTokens tokens, Runnable stop) {}

    private Rehearsal(Path folder, Function<Config, Stage> start) {
        this.folder = folder;
        this.start = start;
    }

    static Rehearsal prepare(Function<Config, Stage> start) throws IOException {
        Path folder = Files.createTempDirectory("parley-rehearsal");
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            // PostgreSQL started by root runs as another user, which must be able to enter its own folder.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        }
        return new Rehearsal(folder, start);
    }

    void play() throws IOException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            UUID userId = UuidV7.next();
            Visit first = visit(client, userId);
            String thread = first.makeThread();
            first.talk(thread, 1);
            stop();
            // Most starts are like this second one: all data exists already.
            Visit second = visit(client, userId);
            second.read(thread);
            second.talk(thread, TURNS);
        }
        stop();
    }

    private Visit visit(HttpClient client, UUID user) {
        Stage started = start();
        return new Visit(client, URI.create(started.url()), started.tokens().mint(user, "Somebody", TOKEN_LIFE));
    }

    /** Ignores the environment, because a setting of the caller could name a database that is in use. */
    private synchronized Stage start() {
        if (closed) {
            throw new IllegalStateException("The rehearsal was stopped.");
        }
        Config config =
                Config.load(List.of("--host", "127.0.0.1", "--port", "0", "--data", folder.toString()), Map.of());
        Logging.setLevel(config.node().logLevel());
        config.describe().forEach(line -> System.out.println("  " + line));
        Stage next = start.apply(config);
        stage = next;
        return next;
    }

    private synchronized void stop() {
        Stage running = stage;
        stage = null;
        if (running != null) {
            running.stop().run();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        try {
            delete(folder);
        } catch (IOException failed) {
            System.err.println(
                    "parley: The folder " + folder + " of the rehearsal could not be removed; it is no longer needed.");
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The requests of a user to a server that has just started. */
    private record Visit(HttpClient client, URI server, String token) {
        String makeThread() throws IOException {
            get("/health/ready");
            get("/");
            Matcher created = THREAD.matcher(post("/api/v1/chat/threads", "{\"title\": \"Rehearsal\"}"));
            if (!created.find()) {
                throw new IllegalStateException("The rehearsal's thread has no id.");
            }
            return created.group(1);
        }

        void talk(String thread, int turns) throws IOException {
            for (int i = 0; i < MESSAGES; i++) {
                post(path(thread) + "/messages", """
                        {"content": "Hello", "client_message_id": "%s"}
                        """.formatted(UuidV7.next()));
            }
            for (int i = 0; i < turns; i++) {
                turn(thread);
            }
            read(thread);
        }

        private void turn(String thread) throws IOException {
            UUID run = UuidV7.next();
            post("/api/v1/agent/runs", """
                    {"threadId": "%s", "runId": "%s",
                     "messages": [{"id": "%s", "role": "user", "content": "weather in Lisbon"}]}
                    """.formatted(thread, run, UuidV7.next()));
            // This stream ends with the run.
            get("/api/v1/agent/runs/" + thread + "/events?runId=" + run);
        }

        void read(String thread) throws IOException {
            get("/health/ready");
            get("/api/v1/chat/threads");
            get(path(thread) + "/messages?after_seq=0");
            get("/api/v1/agent/history?threadId=" + thread);
            lookInto(path(thread) + "/events/stream?after_seq=0");
            get("/metrics");
        }

        private static String path(String thread) {
            return "/api/v1/chat/threads/" + thread;
        }

        private String get(String path) throws IOException {
            return send(request(path).build(), HttpResponse.BodyHandlers.ofString());
        }

        private String post(String path, String json) throws IOException {
            return send(
                    request(path)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(json))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }

        /** Reads a stream until its first event, because the stream does not end by itself. */
        private void lookInto(String path) throws IOException {
            try (Stream<String> lines = send(request(path).build(), HttpResponse.BodyHandlers.ofLines())) {
                if (lines.noneMatch(line -> line.startsWith("data:"))) {
                    throw new IllegalStateException("The rehearsal's stream " + path + " ended without an event.");
                }
            }
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(server.resolve(path))
                    .timeout(ANSWER_LIMIT)
                    .header("Authorization", "Bearer " + token);
        }

        private <T> T send(HttpRequest request, HttpResponse.BodyHandler<T> body) throws IOException {
            try {
                HttpResponse<T> response = client.send(request, body);
                if (response.statusCode() / 100 != SUCCESSFUL) {
                    throw new IllegalStateException("The rehearsal's request for "
                            + request.uri().getPath() + " was answered by " + response.statusCode() + ".");
                }
                return response.body();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The rehearsal was interrupted.", interrupted);
            }
        }
    }
}
