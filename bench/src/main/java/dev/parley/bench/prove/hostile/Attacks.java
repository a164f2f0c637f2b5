package dev.parley.bench.prove.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The kinds of abuse that have stopped, or could stop, a server that bounds its requests by number alone. */
final class Attacks {
    /** Each has a user of its own. */
    static final int COUNT = 10;

    private static final int MB = 1024 * 1024;
    private static final int HELD = 80;
    /** As many as would fill a small heap, if a megabyte of each were held. */
    private static final int MANY = 700;

    private static final int AT_ONCE = 20;

    private Attacks() {}

    /**
     * All of them.
     *
     * @param callers gives each attack a user of its own
     * @param receiver where the slow webhooks lead to
     */
    static List<Attack> all(Function<String, Caller> callers, SlowReceiver receiver) {
        return List.of(
                unfinishedBodies(callers.apply("unfinished bodies"), true),
                unfinishedBodies(callers.apply("unsigned webhooks"), false),
                unreadAnswers(callers.apply("unread answers")),
                wideJson(callers.apply("wide JSON")),
                longHeaders(callers.apply("long headers")),
                greedyReads(callers.apply("greedy reads")),
                idlePolls(callers.apply("idle polls")),
                slowWebhooks("slow webhooks", callers.apply("slow webhooks"), receiver),
                slowWebhooks("more slow webhooks", callers.apply("more slow webhooks"), receiver),
                endlessRuns(callers.apply("endless runs")));
    }

    /** Bodies of 1 MB of which the last bytes never come: a user's messages, or what claims to be a platform's. */
    private static Attack unfinishedBodies(Caller caller, boolean known) {
        HeldConnections connections = new HeldConnections(caller.server(), MANY, 0);
        byte[] body = "{\"content\":\"".concat("x".repeat(MB - 20)).getBytes(UTF_8);
        String path = known
                ? "/api/v1/chat/threads/" + caller.newThread("unfinished") + "/messages"
                : "/api/v1/integrations/discord/interactions";
        String head = (known
                        ? caller.head("POST", path)
                        : "POST " + path + " HTTP/1.1\r\nHost: "
                                + caller.server().getAuthority() + "\r\n")
                + "Content-Type: application/json\r\nContent-Length: " + MB + "\r\n";
        // Looks like a signature until the whole body is there.
        String signature = "X-Signature-Ed25519: " + "ab".repeat(64) + "\r\nX-Signature-Timestamp: ";
        return new Attack() {
            @Override
            public String name() {
                return known ? "unfinished bodies" : "unsigned webhooks";
            }

            @Override
            public void strike() throws IOException {
                for (int i = 0; i < AT_ONCE; i++) {
                    connections.open(head + signature + Instant.now().getEpochSecond() + "\r\n\r\n", body);
                }
            }

            @Override
            public long pauseMillis() {
                return 500;
            }

            @Override
            public void close() {
                connections.close();
                caller.close();
            }
        };
    }

    /** Pages of a thread with long messages, asked for and not read. */
    private static Attack unreadAnswers(Caller caller) {
        String session = UUID.randomUUID().toString();
        for (int post = 0; post < 10; post++) {
            List<Object> events = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String id = post + "-" + i;
                events.add(Map.of("message", Map.of("id", id, "role", "user", "content", "x".repeat(250_000))));
            }
            caller.prepare("/api/v1/sessions/" + session + "/chat-events", Map.of("chat_events", events));
        }
        HeldConnections connections = new HeldConnections(caller.server(), HELD, 4_096);
        String chat = caller.head("GET", "/api/v1/chat/threads/" + session + "/messages?limit=200") + "\r\n";
        String events = caller.head("GET", "/api/v1/chat/threads/" + session + "/events?limit=200") + "\r\n";
        return new Attack() {
            private boolean odd;

            @Override
            public String name() {
                return "unread answers";
            }

            @Override
            public void strike() throws IOException {
                odd = !odd;
                connections.open(odd ? chat : events, new byte[0]);
            }

            @Override
            public void close() {
                connections.close();
                caller.close();
            }
        };
    }

    /** Bodies of many small values, and of many levels. */
    private static Attack wideJson(Caller caller) {
        byte[] wide = ("{\"message\":{\"id\":\"m1\",\"role\":\"user\",\"content\":\"x\",\"provider_data\":{\"a\":["
                        + "{},".repeat(8 * MB / 3) + "{}]}}}")
                .getBytes(UTF_8);
        byte[] deep = ("{\"message\":" + "[".repeat(MB)).getBytes(UTF_8);
        return new Strikes("wide JSON", caller, 500) {
            private boolean odd;

            @Override
            public void strike() throws IOException, InterruptedException {
                odd = !odd;
                caller.post("/api/v1/sessions/" + UUID.randomUUID() + "/chat-events", odd ? wide : deep);
            }
        };
    }

    /** Headers and prefixes that expressions with choices take minutes for. */
    private static Attack longHeaders(Caller caller) {
        String spaces = " ".repeat(7_000);
        byte[] prefix = Json.MAPPER.writeValueAsBytes(Map.of("prefix", "a" + "/".repeat(500_000) + "b"));
        return new Strikes("long headers", caller, 100) {
            private int turn;

            @Override
            public void strike() throws IOException, InterruptedException {
                turn++;
                switch (turn % 4) {
                    case 0 -> caller.send(caller.request("/").header("Accept-Encoding", "a" + spaces + "b"));
                    case 1 ->
                        caller.send(caller.request("/docs").header("Range", "bytes=" + spaces + "-" + spaces + "x"));
                    case 2 ->
                        caller.send(caller.request("/api/v1/chat/threads")
                                .header("Content-Type", "application/json;" + "a".repeat(7_000) + "charset" + spaces)
                                .POST(BodyPublishers.ofString("{}")));
                    default -> caller.post("/storage/v1/object/list/agent-files", prefix);
                }
            }
        };
    }

    /** Polls that wait for an event, as many as one user may have waiting. */
    private static Attack idlePolls(Caller caller) {
        String path = "/api/v1/chat/threads/" + caller.newThread("idle") + "/events?wait=30";
        HeldConnections connections = new HeldConnections(caller.server(), HELD, 0);
        return new Attack() {
            @Override
            public String name() {
                return "idle polls";
            }

            @Override
            public void strike() throws IOException {
                connections.open(caller.head("GET", path) + "\r\n", new byte[0]);
            }

            @Override
            public void close() {
                connections.close();
                caller.close();
            }
        };
    }

    /** One user's reads, as fast as they are answered. */
    private static Attack greedyReads(Caller caller) {
        String path = "/api/v1/chat/threads/" + caller.newThread("greedy") + "/messages?limit=200";
        return new Strikes("greedy reads", caller, 1) {
            @Override
            public void strike() throws IOException, InterruptedException {
                caller.get(path);
            }
        };
    }

    /** Webhooks of several threads, as many as limits of rates let one user make at once, all with a receiver that takes long, and messages for them. */
    private static Attack slowWebhooks(String name, Caller caller, SlowReceiver receiver) {
        List<String> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String thread = caller.newThread("slow " + i);
            threads.add(thread);
            for (int hook = 0; hook < 10; hook++) {
                caller.prepare(
                        "/api/v1/chat/threads/" + thread + "/webhooks",
                        Map.of("callback_url", receiver.url() + "/" + i + "/" + hook));
            }
        }
        return new Strikes(name, caller, 500) {
            private int turn;

            @Override
            public void strike() throws IOException, InterruptedException {
                turn++;
                caller.post(
                        "/api/v1/chat/threads/" + threads.get(turn % threads.size()) + "/messages",
                        Json.MAPPER.writeValueAsBytes(Map.of("content", "slow " + turn)));
            }
        };
    }

    /** Runs that speak until their time is over, as many as are taken. */
    private static Attack endlessRuns(Caller caller) {
        return new Strikes("endless runs", caller, 200) {
            @Override
            public void strike() throws IOException, InterruptedException {
                String id = UUID.randomUUID().toString();
                caller.post(
                        "/api/v1/agent/runs",
                        Json.MAPPER.writeValueAsBytes(Map.of(
                                "threadId", UUID.randomUUID().toString(),
                                "runId", id,
                                "messages", List.of(Map.of("id", id, "role", "user", "content", "/slow 100000")))));
            }
        };
    }

    /** An attack by whole requests, one after the other. */
    private abstract static class Strikes implements Attack {
        private final String name;
        private final Caller caller;
        private final long pauseMillis;

        Strikes(String name, Caller caller, long pauseMillis) {
            this.name = name;
            this.caller = caller;
            this.pauseMillis = pauseMillis;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long pauseMillis() {
            return pauseMillis;
        }

        @Override
        public void close() {
            caller.close();
        }
    }

    /** A receiver of webhooks that answers each event after a long time. */
    static final class SlowReceiver implements AutoCloseable {
        private static final long ANSWER_SECONDS = 12;

        private final HttpServer server;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

        SlowReceiver() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange) {
                    TimeUnit.SECONDS.sleep(ANSWER_SECONDS);
                    exchange.sendResponseHeaders(200, -1);
                } catch (InterruptedException ending) {
                    Thread.currentThread().interrupt();
                }
            });
            server.start();
        }

        String authority() {
            return "127.0.0.1:" + server.getAddress().getPort();
        }

        String url() {
            return "http://" + authority();
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdownNow();
            threads.close();
        }
    }
}
