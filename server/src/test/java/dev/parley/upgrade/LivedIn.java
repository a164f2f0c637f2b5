package dev.parley.upgrade;

import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.Nodes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Uses a server in every way that stores data, and records the data that a later server must still know. */
final class LivedIn {
    static final UUID ADA = UUID.fromString("0198c0de-0000-7000-8000-000000000a01");
    static final UUID BEN = UUID.fromString("0198c0de-0000-7000-8000-000000000a02");
    static final UUID OLIVIA = UUID.fromString("0198c0de-0000-7000-8000-000000000a03");
    static final String THREADS = "/api/v1/chat/threads";
    static final String ROOM = "0198c0de-0000-7000-8000-0000000000a1";
    static final String QUESTION = "0198c0de-0000-7000-8000-0000000000a2";
    static final String SESSION = "0198c0de-0000-7000-8000-0000000000a3";
    static final String OBJECT = "/storage/v1/object/agent-files/agent-inputs/" + ADA + "/notes/today.txt";
    static final String OBJECT_TEXT = "what was kept: 中文 العربية 👩‍🚀";
    static final List<String> TEXTS = List.of(
            "Can somebody look at the build?",
            "今天的构建坏了，谁来看看？",
            "هل يمكن لأحد أن يساعد؟",
            "👩‍🚀 é = e\u0301, tab\tand \\ back");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Api ada;
    private final Api ben;
    private final Api olivia;
    private final ObjectNode memory = Json.MAPPER.createObjectNode();

    private LivedIn(Nodes.Node node) {
        this.ada = node.api(ADA, "Ada");
        this.ben = node.api(BEN, "بن");
        this.olivia = node.api(OLIVIA, "Olivia");
    }

    /** The settings of such a server. */
    static String[] flags() {
        return new String[] {
            "--operators", OLIVIA.toString(),
            "--slack-signing-secret", "a signing secret that nobody signs with",
            "--slack-bot-token", "xoxb-nobody",
            "--slack-api-url", "http://127.0.0.1:9/api",
            "--outbound-allow", "127.0.0.1:9",
            // The runs of the saved server can still be followed and explained, regardless of their age.
            "--limit-run-event-days", "36500",
            "--limit-context-days", "36500"
        };
    }

    static JsonNode in(Nodes.Node node) {
        LivedIn life = new LivedIn(node);
        life.talk();
        life.keepObjects();
        life.askAgents();
        life.useAgentTokens();
        life.integrate();
        life.keepSession();
        life.keepNamedSession();
        life.remember();
        return life.memory;
    }

    private void talk() {
        String room = must(ada.post(
                        THREADS, json(Map.of("title", "The build 构建", "participants", List.of("user:" + BEN)))))
                .path("thread_id")
                .asString();
        memory.put("room", room);
        for (int i = 0; i < TEXTS.size(); i++) {
            Api caller = i % 2 == 0 ? ada : ben;
            memory.withArray("messages")
                    .add(must(caller.post(
                            THREADS + "/" + room + "/messages",
                            json(Map.of("content", TEXTS.get(i), "client_message_id", "key-" + i)))));
        }
        String edited = id(0);
        must(ada.patch(THREADS + "/" + room + "/messages/" + edited, json(Map.of("content", "The nightly build"))));
        must(ben.delete(THREADS + "/" + room + "/messages/" + id(3)));
        must(ben.send("PUT", THREADS + "/" + room + "/messages/" + edited + "/reactions/%F0%9F%91%8D", "{}"));
        must(ben.patch(THREADS + "/" + room + "/read", "{\"seq\": 2}"));
        must(ada.post(THREADS + "/" + room + "/webhooks", json(Map.of("callback_url", "http://127.0.0.1:9/hook"))));
        String archived = must(ada.post(THREADS, json(Map.of("title", "Old")), "Idempotency-Key: old-thread"))
                .path("thread_id")
                .asString();
        must(ada.patch(THREADS + "/" + archived + "/archive", "{\"archived\": true}"));
        memory.put("archived", archived);
    }

    private String id(int message) {
        return memory.at("/messages/" + message + "/id").asString();
    }

    private void keepObjects() {
        must(ada.send("POST", OBJECT, "text/plain", OBJECT_TEXT.getBytes(StandardCharsets.UTF_8)));
        JsonNode picture =
                must(Form.file("猫.png", "image/png", SampleImages.png(3, 2)).uploadBy(ada));
        memory.set("picture", picture);
    }

    private void askAgents() {
        run(ROOM, "weather", "weather in Lisbon");
        run(ROOM, "state", "/state {\"topic\": \"构建\"}");
        run(ROOM, "team", "/team look at it");
        run(ROOM, "failed", "/fail");
        run(ROOM, "tool", "/tool pick_colour {\"of\": \"wall\"}");
        run(QUESTION, "question", "/approve Delete everything?");
        must(ada.post(
                "/api/v1/agent/runs",
                input(
                        QUESTION,
                        "picture",
                        List.of(
                                Map.of("type", "text", "text", "what is this?"),
                                Map.of(
                                        "type",
                                        "binary",
                                        "mimeType",
                                        "image/png",
                                        "url",
                                        memory.at("/picture/url").asString())))));
        awaitEnd(QUESTION, "picture");
    }

    private void run(String thread, String run, String text) {
        JsonNode started = must(ada.post("/api/v1/agent/runs", input(thread, run, text)));
        memory.set(run + "Task", started.path("taskId"));
        awaitEnd(thread, run);
    }

    static String input(String thread, String run, Object content) {
        return json(Map.of(
                "threadId",
                thread,
                "runId",
                run,
                "messages",
                List.of(Map.of("id", "msg-" + run, "role", "user", "content", content))));
    }

    private void awaitEnd(String thread, String run) {
        await().atMost(LIMIT).until(() -> hasEnded(ada, thread, run));
    }

    private static boolean hasEnded(Api caller, String thread, String run) {
        return must(caller.get("/api/v1/agent/threads/" + thread + "/runs/" + run))
                .hasNonNull("ended");
    }

    private void useAgentTokens() {
        String agent = must(ada.post("/api/v1/owner/agents", json(Map.of("display_name", "Builder"))))
                .path("agent_id")
                .asString();
        JsonNode token = must(ada.post(
                "/api/v1/owner/external-agents/tokens",
                json(Map.of("agent_actor_id", agent, "scopes", List.of("observe", "speak", "run", "manage_thread")))));
        memory.put("agent", agent);
        memory.put("agentToken", token.path("raw_token").asString());
        String room = memory.path("room").asString();
        must(ada.post(THREADS + "/" + room + "/participants", json(Map.of("sender_ids", List.of("agent:" + agent)))));
        Api builder = new Api(ada.server(), memory.path("agentToken").asString());
        memory.set(
                "agentMessage",
                must(builder.post(
                        THREADS + "/" + room + "/agent-messages",
                        json(Map.of("content", "I am on it.", "client_message_id", "answer-1")))));
        // Waits for the agent's own process, for as long as it lives.
        must(ada.post(
                "/api/v1/agent/runs",
                json(Map.of(
                        "threadId",
                        room,
                        "runId",
                        "outside",
                        "messages",
                        List.of(Map.of("id", "msg-outside", "role", "user", "content", "Builder?")),
                        "forwardedProps",
                        Map.of("agentId", agent)))));
    }

    private void integrate() {
        JsonNode key = must(olivia.post("/api/v1/operator/integration-keys", json(Map.of("source", "slack"))));
        memory.put("integrationKey", key.path("raw_key").asString());
        Api slack = new Api(ada.server(), memory.path("integrationKey").asString());
        memory.set("ingested", must(slack.post("/api/v1/ingest/chat", ingested())));
        must(slack.post(
                "/api/v1/ingest/revisions",
                json(Map.of(
                        "source", "slack",
                        "channel_external_id", "C06RY3YBSLE",
                        "workspace_id", "T0001",
                        "external_message_id", "1731665000.000100",
                        "external_event_id", "Ev0002",
                        "kind", "edited",
                        "message", "testing from slack, again"))));
        must(ada.post("/api/v1/auth/identity-links", json(Map.of("source", "slack"))));
    }

    static String ingested() {
        return json(Map.of(
                "message", "testing from slack 测试",
                "client_id", "slack:C06RY3YBSLE",
                "msg_metadata",
                        Map.of(
                                "source", "slack",
                                "sender_id", "slack:U06STGBF4Q0",
                                "sender_display_name", "Olivia",
                                "sender_type", "human",
                                "channel_external_id", "C06RY3YBSLE",
                                "recipient_id", "bot:Demo",
                                "workspace_id", "T0001",
                                "external_message_id", "1731665000.000100",
                                "external_event_id", "Ev0001"),
                "dispatch_type", "slack",
                "dispatch_config", Map.of("channel", "C06RY3YBSLE", "thread_ts", "1731665000.000100")));
    }

    private void keepSession() {
        String session = "/api/v1/sessions/" + SESSION;
        must(ada.post(session + "/chat-events", chatEvent()));
        must(ada.send(
                "PUT",
                session + "/document",
                json(Map.of("version", 0, "document", Map.of("summary", "About France")))));
        must(ada.send(
                "PUT",
                session + "/runs/run-001",
                json(Map.of("document", Map.of("status", "COMPLETED", "content", "Paris")))));
    }

    /** Creates a session under a name that its client chose. */
    private void keepNamedSession() {
        must(ada.post("/api/v1/sessions/about-france/chat-events", chatEvent()));
        must(ada.post(
                "/api/v1/sessions/about-france/runs/run-002/events",
                json(Map.of(
                        "first",
                        0,
                        "agent_id",
                        "writer",
                        "agent_name",
                        "Writer",
                        "events",
                        List.of(
                                Map.of(
                                        "event",
                                        "RunStarted",
                                        "run_id",
                                        "run-002",
                                        "created_at",
                                        1765280936,
                                        "model",
                                        "m",
                                        "model_provider",
                                        "p"),
                                Map.of(
                                        "event",
                                        "RunContent",
                                        "run_id",
                                        "run-002",
                                        "created_at",
                                        1765280937,
                                        "content",
                                        "Paris"),
                                Map.of(
                                        "event",
                                        "RunCompleted",
                                        "run_id",
                                        "run-002",
                                        "created_at",
                                        1765280938,
                                        "content",
                                        "Paris"))))));
        must(ada.post("/api/v1/auth/stream-tickets", json(Map.of("path", "/api/v1/chat/inbox/stream"))));
    }

    static String chatEvent() {
        return json(Map.of(
                "message",
                Map.of(
                        "id", "e78cbc35-74a1-4e5a-9fdf-4a3b12b7bdc6",
                        "content", "What is the capital of France?",
                        "role", "user",
                        "created_at", 1765280936)));
    }

    /** Records the views of people at the end, and each event with the cursor to resume from. */
    private void remember() {
        memory.putObject("messagesOf");
        memory.putObject("eventsOf");
        String channel = memory.at("/ingested/session_id").asString();
        String answer = memory.at("/ingested/run_id").asString();
        await().atMost(LIMIT).until(() -> hasEnded(olivia, channel, answer));
        remember(ada, memory.path("room").asString());
        remember(ada, ROOM);
        remember(ada, QUESTION);
        remember(ada, SESSION);
        remember(olivia, channel);
        memory.set("sessionMessages", must(ada.get("/api/v1/sessions/" + SESSION + "/messages")));
    }

    private void remember(Api caller, String thread) {
        memory.withObject("/messagesOf").set(thread, messages(caller, thread));
        memory.withObject("/eventsOf").set(thread, events(caller, thread));
    }

    /** All events of a thread, as a new client polls them. */
    static JsonNode events(Api caller, String thread) {
        return must(caller.get(THREADS + "/" + thread + "/events?after_seq=0&limit=200"))
                .path("events");
    }

    /** The messages of a thread, as its participants read them. */
    static JsonNode messages(Api caller, String thread) {
        return must(caller.get(THREADS + "/" + thread + "/messages?limit=200")).path("messages");
    }

    static JsonNode must(Api.Reply reply) {
        if (reply.status() >= 300) {
            throw new AssertionError("The server refused: " + reply);
        }
        return reply.json();
    }

    static String json(Map<String, ?> body) {
        return Json.MAPPER.writeValueAsString(body);
    }
}
