package dev.parley.access;

import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A thread with a caller of each role, for one cell of the matrix. The objects of an act are created on demand. */
final class RightsScene implements AutoCloseable {
    static final String RUN = "r-guarded";
    static final String RUNS = "/api/v1/agent/runs";
    static final Map<String, Object> DOCUMENT = Map.of("document", Map.of("content", "Yes."));
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final List<String> RUNNER = List.of("observe", "speak", "run");

    /** The callers of all scenes, and the agents of their runs. */
    record Cast(
            World world, Map<Role, String> credentials, String guard, String demo, String demoToken, List<String> ids) {
        static Cast of(World world) {
            UUID author = UUID.randomUUID();
            String guard = world.newAgent(world.owner, "Guard", "shared");
            String demo = world.api
                    .must(
                            "POST",
                            "/api/v1/owner/agents",
                            world.owner,
                            Map.of("display_name", "Demo", "kind", "demo", "visibility", "shared"))
                    .path("agent_id")
                    .asString();
            Map<Role, String> credentials = Map.of(
                    Role.AUTHOR, world.server.token(author, "Ann"),
                    Role.AGENTS_OWNER, world.owner,
                    Role.MANAGER, world.server.token(UUID.randomUUID(), "Mona"),
                    Role.MEMBER, world.member,
                    Role.STRANGER, world.stranger,
                    Role.AGENT, raw(world, world.owner, guard),
                    Role.OTHER_AGENT, raw(world, world.member, world.memberAgent));
            return new Cast(
                    world,
                    credentials,
                    "agent:" + guard,
                    "agent:" + demo,
                    raw(world, world.owner, demo),
                    List.of(
                            "user:" + author,
                            "user:" + world.ownerId,
                            "user:" + world.memberId,
                            "agent:" + guard,
                            "agent:" + demo,
                            "agent:" + world.memberAgent));
        }

        private static String raw(World world, String owner, String agent) {
            return world.token(owner, agent, RUNNER, null).path("raw_token").asString();
        }
    }

    private final Cast cast;
    private final Calls api;
    final String thread;
    final String chat;
    final String session;
    final String runs;
    private final boolean watched;
    /** True if the server executes the agent of the run. */
    private boolean executed;

    private List<Object> before = List.of();

    /** @param watched true if the act's call must change nothing */
    RightsScene(Cast cast, boolean watched) {
        this.watched = watched;
        this.cast = cast;
        this.api = cast.world().api;
        this.thread = must(
                        Role.MANAGER,
                        "POST",
                        "/api/v1/chat/threads",
                        Map.of("title", "Rights", "participants", cast.ids(), "participation_mode", "invocation_only"))
                .path("thread_id")
                .asString();
        this.chat = "/api/v1/chat/threads/" + thread;
        this.session = "/api/v1/sessions/" + thread;
        this.runs = "/api/v1/agent/threads/" + thread + "/runs";
    }

    String guard() {
        return cast.guard();
    }

    String demo() {
        return cast.demo();
    }

    /** The call of the act itself; saves the state before it. */
    Calls.Got call(Role role, String method, String path, Object body) {
        before = watched ? state() : List.of();
        return api.call(method, path, credential(role), body.equals("") ? "" : Json.MAPPER.writeValueAsString(body));
    }

    private String credential(Role role) {
        return role == Role.AGENT && executed
                ? cast.demoToken()
                : cast.credentials().getOrDefault(role, "");
    }

    JsonNode must(Role role, String method, String path, Object body) {
        return api.must(method, path, cast.credentials().getOrDefault(role, ""), body);
    }

    /** Posts a message of the author. */
    String message() {
        return must(Role.AUTHOR, "POST", chat + "/messages", Map.of("content", "Mine"))
                .path("id")
                .asString();
    }

    /** A client's input for a run. */
    static Map<String, Object> input(String thread, String run, String text, Object... more) {
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("threadId", thread);
        input.put("runId", run);
        input.put("messages", List.of(Map.of("id", "q-" + run, "role", "user", "content", text)));
        input.put("tools", List.of());
        input.put("context", List.of());
        input.put("state", Map.of());
        for (int i = 0; i < more.length; i += 2) {
            input.put((String) more[i], more[i + 1]);
        }
        return input;
    }

    Map<String, Object> input(String run, String agent, String text) {
        return input(thread, run, text, "forwardedProps", Map.of("agentId", agent));
    }

    /** An active run that the author started and its agent drives. */
    RightsScene drivenRun() {
        must(Role.AUTHOR, "POST", "/api/v1/agent/runs", input(RUN, guard(), "May he see it?"));
        drive(Role.AGENT, null, 0, event("RunStarted", ""), event("RunContent", "No."));
        return this;
    }

    /** The same run after its agent has finished. */
    RightsScene finishedRun() {
        drivenRun();
        drive(Role.AGENT, 1, 2, event("RunCompleted", "No."));
        return this;
    }

    private void drive(Role role, @Nullable Integer epoch, int first, Object... events) {
        must(role, "POST", session + "/runs/" + RUN + "/events", post(epoch, first, events));
    }

    /** The input of a run of the demo agent with a multitask strategy. */
    Map<String, Object> withStrategy(String strategy) {
        return input(
                thread, "r-own", "hello", "forwardedProps", Map.of("agentId", demo(), "multitaskStrategy", strategy));
    }

    /** The input of a run that answers the author's question again. */
    Map<String, Object> regenerating(String text) {
        return input(thread, "r-own", text, "forwardedProps", Map.of("agentId", demo(), "regenerateFrom", "q-" + RUN));
    }

    /** The answer to the open question of a run. */
    List<Object> decision() {
        return List.of(Map.of("interruptId", approval(), "status", "resolved", "payload", Map.of("approved", true)));
    }

    /** A path of the demo agent on the AG-UI face. */
    String agui(String rest) {
        return "/api/v1/agui/agent/" + demo().substring("agent:".length()) + "/" + rest;
    }

    static Map<String, Object> post(@Nullable Integer epoch, int first, Object... events) {
        Map<String, Object> post = new LinkedHashMap<>();
        if (epoch != null) {
            post.put("epoch", epoch);
        }
        post.put("first", first);
        post.put("events", List.of(events));
        return post;
    }

    static Map<String, Object> event(String kind, String content) {
        return Map.of("event", kind, "run_id", RUN, "content", content);
    }

    /** An active run of an agent that the server executes, started by the author. */
    RightsScene slowRun() {
        executed = true;
        must(Role.AUTHOR, "POST", "/api/v1/agent/runs", input(RUN, demo(), "/slow 2000"));
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(LIMIT)
                .until(() -> state(RUN).equals("running"));
        return this;
    }

    /** An open question of a run that the author started. */
    String approval() {
        executed = true;
        must(Role.AUTHOR, "POST", "/api/v1/agent/runs", input(RUN, demo(), "/approve Sure?"));
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(LIMIT)
                .until(() -> !run(RUN).path("openInterrupts").isEmpty());
        return run(RUN).path("openInterrupts").get(0).asString();
    }

    /** A run that was never streamed; the author has reported it. */
    RightsScene toldRun() {
        must(Role.AUTHOR, "PUT", session + "/runs/" + RUN, Map.of("document", Map.of("told", true)));
        return this;
    }

    private JsonNode run(String name) {
        return must(Role.MANAGER, "GET", runs + "/" + name, "");
    }

    private String state(String name) {
        return run(name).path("state").asString();
    }

    String messageOfRun() {
        finishedRun();
        return must(Role.MANAGER, "GET", chat + "/messages?limit=50", "")
                .path("messages")
                .valueStream()
                .filter(message -> message.path("sender_id").asString().equals(guard()))
                .findFirst()
                .orElseThrow()
                .path("id")
                .asString();
    }

    /** True if the act's call has changed nothing. */
    boolean isUnchanged() {
        return state().equals(before);
    }

    /** The state that a refused call must not change. */
    private List<Object> state() {
        List<Object> all = new ArrayList<>();
        JsonNode messages = must(Role.MANAGER, "GET", chat + "/messages?limit=200", "");
        all.add(messages.path("messages"));
        must(Role.MANAGER, "GET", runs + "?limit=50", "").path("runs").forEach(run -> {
            all.add(run.path("runId").asString() + " " + run.path("state").asString());
            all.add(run.path("openInterrupts"));
        });
        must(Role.MANAGER, "GET", session + "/runs", "")
                .path("runs")
                .forEach(run -> all.add(run.path("run_id").asString() + " " + run.path("version")));
        all.add(must(Role.MANAGER, "GET", "/api/v1/agent/threads/" + thread + "/state", ""));
        all.add(api.call("GET", session + "/document", cast.credentials().getOrDefault(Role.MANAGER, ""), "")
                .body()
                .replaceAll("\"instance\":\"[^\"]*\"", ""));
        return all;
    }

    /** Ends every run that the server would wait for. */
    @Override
    public void close() {
        must(Role.MANAGER, "POST", session + "/stop", Map.of());
    }
}
