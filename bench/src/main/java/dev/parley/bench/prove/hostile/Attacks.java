package dev.parley.bench.prove.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.ApiCaller;
import dev.parley.bench.rig.HttpBytes;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.LocalApi;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The kinds of abuse that have stopped, or could stop, a server that bounds only the number of its requests. */
final class Attacks {
    /** The number of attacks, each with a user of its own. */
    static final int COUNT = 10;

    private static final int MB = 1024 * 1024;
    private static final int HELD = 80;
    /** Enough connections to fill a small heap, if the server kept a megabyte for each connection. */
    private static final int MANY = 700;

    private static final int AT_ONCE = 20;
    private static final long ANSWER_SECONDS = 12;

    private Attacks() {}

    /**
     * @param callers gives each attack a user of its own
     * @param receiver the target of the slow webhooks
     */
    static List<Attack> all(Supplier<ApiCaller> callers, LocalApi receiver) {
        return List.of(
                unfinishedBodies("unfinished bodies", callers.get(), true),
                unfinishedBodies("unsigned webhooks", callers.get(), false),
                unreadAnswers("unread answers", callers.get()),
                wideJson("wide JSON", callers.get()),
                longHeaders("long headers", callers.get()),
                greedyReads("greedy reads", callers.get()),
                idlePolls("idle polls", callers.get()),
                slowWebhooks("slow webhooks", callers.get(), receiver),
                slowWebhooks("more slow webhooks", callers.get(), receiver),
                endlessRuns("endless runs", callers.get()));
    }

    /** Bodies of 1 MB whose last bytes never come. They are messages from a user, or alleged events from a platform. */
    private static Attack unfinishedBodies(String name, ApiCaller caller, boolean known) {
        HeldConnections connections = new HeldConnections(caller.server(), MANY, 0);
        byte[] body = "{\"content\":\"".concat("x".repeat(MB - 20)).getBytes(UTF_8);
        String path = known
                ? "/api/v1/chat/threads/" + newThread(caller, "unfinished") + "/messages"
                : "/api/v1/integrations/discord/interactions";
        String head = (known
                        ? caller.head("POST", path)
                        : HttpBytes.head("POST", caller.server().getAuthority(), path, ""))
                + "Content-Type: application/json\r\nContent-Length: " + MB + "\r\n";
        // The server cannot check the signature before the body is complete.
        String signature = "X-Signature-Ed25519: " + "ab".repeat(64) + "\r\nX-Signature-Timestamp: ";
        return byConnections(name, 500, caller, connections, turn -> {
            for (int i = 0; i < AT_ONCE; i++) {
                connections.open(head + signature + Instant.now().getEpochSecond() + "\r\n\r\n", body);
            }
        });
    }

    /** Requests pages of long messages, and does not read the answers. */
    private static Attack unreadAnswers(String name, ApiCaller caller) {
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
        return byConnections(
                name, 100, caller, connections, turn -> connections.open(turn % 2 == 1 ? chat : events, new byte[0]));
    }

    /** JSON bodies with many small values, and JSON bodies with many levels. */
    private static Attack wideJson(String name, ApiCaller caller) {
        byte[] wide = ("{\"message\":{\"id\":\"m1\",\"role\":\"user\",\"content\":\"x\",\"provider_data\":{\"a\":["
                        + "{},".repeat(8 * MB / 3) + "{}]}}}")
                .getBytes(UTF_8);
        byte[] deep = ("{\"message\":" + "[".repeat(MB)).getBytes(UTF_8);
        return byRequests(
                name,
                500,
                caller,
                turn -> caller.post(
                        "/api/v1/sessions/" + UUID.randomUUID() + "/chat-events", turn % 2 == 1 ? wide : deep));
    }

    /** Headers and prefixes on which a backtracking regular expression would spend minutes. */
    private static Attack longHeaders(String name, ApiCaller caller) {
        String spaces = " ".repeat(7_000);
        byte[] prefix = Json.MAPPER.writeValueAsBytes(Map.of("prefix", "a" + "/".repeat(500_000) + "b"));
        return byRequests(name, 100, caller, turn -> {
            switch (turn % 4) {
                case 0 -> caller.send(caller.request("/").header("Accept-Encoding", "a" + spaces + "b"));
                case 1 -> caller.send(caller.request("/docs").header("Range", "bytes=" + spaces + "-" + spaces + "x"));
                case 2 ->
                    caller.send(caller.request("/api/v1/chat/threads")
                            .header("Content-Type", "application/json;" + "a".repeat(7_000) + "charset" + spaces)
                            .POST(BodyPublishers.ofString("{}")));
                default -> caller.post("/storage/v1/object/list/agent-files", prefix);
            }
        });
    }

    /** Polls that wait for an event, as many as one user may have at once. */
    private static Attack idlePolls(String name, ApiCaller caller) {
        String path = "/api/v1/chat/threads/" + newThread(caller, "idle") + "/events?wait=30";
        HeldConnections connections = new HeldConnections(caller.server(), HELD, 0);
        return byConnections(
                name,
                100,
                caller,
                connections,
                turn -> connections.open(caller.head("GET", path) + "\r\n", new byte[0]));
    }

    /** Reads from one user. Each read begins as soon as the previous read is answered. */
    private static Attack greedyReads(String name, ApiCaller caller) {
        String path = "/api/v1/chat/threads/" + newThread(caller, "greedy") + "/messages?limit=200";
        return byRequests(name, 1, caller, turn -> caller.get(path));
    }

    /**
     * Messages for threads with webhooks that all have a slow receiver. One user creates as many webhooks as the rate
     * limits allow at once.
     */
    private static Attack slowWebhooks(String name, ApiCaller caller, LocalApi receiver) {
        List<String> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String thread = newThread(caller, "slow " + i);
            threads.add(thread);
            for (int hook = 0; hook < 10; hook++) {
                caller.prepare(
                        "/api/v1/chat/threads/" + thread + "/webhooks",
                        Map.of("callback_url", receiver.url() + "/" + i + "/" + hook));
            }
        }
        return byRequests(
                name,
                500,
                caller,
                turn -> caller.post(
                        "/api/v1/chat/threads/" + threads.get(turn % threads.size()) + "/messages",
                        Json.MAPPER.writeValueAsBytes(Map.of("content", "slow " + turn))));
    }

    /** Runs that stream until their time is over, as many as the server accepts. */
    private static Attack endlessRuns(String name, ApiCaller caller) {
        return byRequests(name, 200, caller, turn -> {
            String id = UUID.randomUUID().toString();
            Map<String, ?> question = Map.of("id", id, "role", "user", "content", "/slow 100000");
            caller.post(
                    "/api/v1/agent/runs",
                    Json.MAPPER.writeValueAsBytes(Map.of(
                            "threadId", UUID.randomUUID().toString(), "runId", id, "messages", List.of(question))));
        });
    }

    static String newThread(ApiCaller caller, String title) {
        return Json.MAPPER
                .readTree(caller.prepare("/api/v1/chat/threads", Map.of("title", title)))
                .path("thread_id")
                .asString();
    }

    /** An attack by whole requests, one after the other. */
    private static Attack byRequests(String name, long pauseMillis, ApiCaller caller, Attack.Strike strike) {
        return new Attack(name, pauseMillis, strike, caller::close);
    }

    private static Attack byConnections(
            String name, long pauseMillis, ApiCaller caller, HeldConnections connections, Attack.Strike strike) {
        return new Attack(name, pauseMillis, strike, () -> {
            connections.close();
            caller.close();
        });
    }

    /** A receiver of webhooks that answers each event after a long time. */
    static LocalApi slowReceiver() {
        return new LocalApi(event -> {
            try {
                TimeUnit.SECONDS.sleep(ANSWER_SECONDS);
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
            return new LocalApi.Answer(200, Map.of(), new byte[0]);
        });
    }
}
